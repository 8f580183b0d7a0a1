import { eachAtOnce } from '../../kit/each-at-once.ts';
import { HttpError, messageOf, unavailable } from '../../kit/errors.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import { isDiskFailure } from '../../platform/files/files.ts';
import { dropInbox, type InboxItem, putInbox } from './inbox.store.ts';
import { agreedItem, nextStep, remoteState, stateOf } from './item-state.ts';
import { rememberItems, type SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { type LocalItem, readLocal } from './local-tree.ts';
import type { RunningParts } from './parts.ts';
import { type RemoteEntity, type RemoteFile, type RemoteItem, ReplicaError, versionOf } from './replica.ts';
import { type ProjectState, patchState } from './state.store.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';
import { foldersAwaited, isElsewhere, takeMoves } from './take-moves.ts';
import { changedHere } from './write-entity.ts';
import { writeFile } from './write-file.ts';

/** Stored in one transaction once all items are written. */
interface TakenItems {
  remembered: SyncedItem[];
  waiting: InboxItem[];
  settled: SyncKey[];
}

/** Files, and entities that need the slow path, written concurrently. */
const AT_ONCE = 16;

const DELETION = 'its deletion is followed at the end of the round';

function reasonOf(error: unknown): string {
  // The round ends, and everything comes again.
  if (isDiskFailure(error) || error instanceof DatabaseError) throw error;
  if (error instanceof HttpError && error.status >= 500) throw error;
  if (error instanceof ReplicaError && error.code !== 'refused' && error.code !== 'not_understood')
    throw error;
  return messageOf(error);
}

/** Entities are read by templates and rules, so these come first. */
const isDefinition = ({ path }: RemoteFile): boolean => path.startsWith('_');

/**
 * Applies the replica's items: writes what is unchanged here and puts the rest into the inbox. Stores the outcome with
 * `cursor`. Idempotent.
 */
export async function takeItems(
  parts: RunningParts,
  items: readonly RemoteItem[],
  progress: Partial<Pick<ProjectState, 'cursor'>>,
): Promise<void> {
  const { project, tally } = parts;
  const { known, local, stay } = await takeMovesAsSeen(parts, items);
  const outcome: TakenItems = { remembered: [], waiting: [], settled: [] };
  const settle = (item: RemoteItem, remembered: SyncedItem | null) => {
    if (remembered) outcome.remembered.push(remembered);
    outcome.settled.push(item.key);
    tally.settle(item.key);
  };
  const wait = (item: RemoteItem, reason: string) => {
    outcome.waiting.push({ item, reason });
    if (reason !== DELETION) tally.leave(item.key, reason);
  };

  const files: RemoteFile[] = [];
  const entities: RemoteEntity[] = [];
  const isAwaited = foldersAwaited(items, local);
  for (const item of items) {
    const synced = known.get(item.key);
    const there = local.get(item.key);
    const step = nextStep(synced, there, item);
    if (step === 'pull' && there?.problem) wait(item, there.problem);
    else if (step === 'pull' && isElsewhere(item, there))
      wait(item, reasonOf(stay.get(item.key) ?? changedHere(item.path)));
    else if (step === 'pull' && item.kind === 'file' && there === undefined && isAwaited(item.path))
      wait(item, 'its folder is that of an entity which lies elsewhere here still');
    else if (step === 'pull' && item.kind === 'file') files.push(item);
    else if (step === 'pull' && item.kind === 'entity') entities.push(item);
    else if (step === null || step === 'note') settle(item, noted(item, synced));
    else if (step === 'pull_deletion') wait(item, DELETION);
    else if (step !== 'merge' && remoteState(item) === stateOf(synced).synced)
      settle(item, renumbered(item, synced));
    else wait(item, 'it was changed here as well: that is sent first');
  }

  const change = (key: SyncKey) => (local.has(key) ? 'updated' : 'created');
  const writeFiles = async (some: readonly RemoteFile[]) => {
    const written = new Map<SyncKey, RemoteFile>();
    const copies: string[] = [];
    await eachAtOnce(some, AT_ONCE, async (item) => {
      try {
        const present = { known: known.get(item.key), local: local.get(item.key) };
        const copy = await writeFile(project.whole, parts.replica, item, present);
        if (copy !== null) copies.push(copy);
        written.set(item.key, item);
      } catch (error) {
        wait(item, reasonOf(error));
      }
    });
    for (const copy of copies) tally.keptCopy(copy);
    const there = await readWritten(parts, written, copies);
    for (const [key, item] of written) {
      if (there.get(key)?.sha256 === item.sha256) settle(item, agreedItem(item));
      else wait(item, 'it was changed here meanwhile: that is sent first');
    }
    tally.counts.pulled += written.size;
    for (const key of written.keys()) tally.changed(key, change(key));
  };

  await writeFiles(files.filter(isDefinition));
  const taken = (item: RemoteEntity) => {
    tally.counts.pulled += 1;
    tally.changed(item.key, change(item.key));
    settle(item, null);
  };
  const rest = await parts.entities.writePlain(project, entities, local, taken).catch((error: unknown) => {
    // One unforeseen failure must not hold up the others: each is tried alone.
    reasonOf(error);
    return entities.filter(({ key }) => !outcome.settled.includes(key));
  });
  await eachAtOnce(rest, AT_ONCE, async (item) => {
    try {
      await parts.entities.write(project, item, known.get(item.key));
      taken(item);
    } catch (error) {
      wait(item, reasonOf(error));
    }
  });
  await writeFiles(files.filter((item) => !isDefinition(item)));
  await store(project, outcome, progress);
}

/**
 * An entity that seems deleted here but comes from the replica may just have been moved on disk. Scan first, or it would
 * exist twice.
 */
async function takeMovesAsSeen(parts: RunningParts, items: readonly RemoteItem[]) {
  const seen = await takeMoves(parts, items);
  const isMissing = ({ key, kind }: RemoteItem): boolean =>
    kind === 'entity' && !seen.local.has(key) && (seen.known.get(key)?.sha256 ?? null) !== null;
  if (!items.some(isMissing)) return seen;
  await parts.lookAgain();
  return takeMoves(parts, items);
}

/** Null if the stored row already says the same. */
function noted(item: RemoteItem, known: SyncedItem | undefined): SyncedItem | null {
  const next = agreedItem(item);
  const isKnown =
    known !== undefined &&
    known.sha256 === next.sha256 &&
    known.path === next.path &&
    known.version === next.version &&
    known.sent === null &&
    known.dirty === 0;
  return isKnown || (known === undefined && item.kind === 'gone') ? null : next;
}

/** Only our side changed; version numbers may differ after the replica restored its database. */
const renumbered = (item: RemoteItem, known: SyncedItem | undefined): SyncedItem | null =>
  known === undefined ? null : { ...known, version: versionOf(item) };

/** Reads the written files back into the database and returns their state. */
async function readWritten(
  { project, mirror }: RunningParts,
  written: ReadonlyMap<SyncKey, RemoteFile>,
  copies: readonly string[],
): Promise<Map<SyncKey, LocalItem>> {
  if (written.size === 0) return new Map();
  const paths = [...copies, ...[...written.values()].map(({ path }) => path)];
  const { error } = await mirror.sync(project.whole, { kind: 'paths', paths });
  if (error)
    throw unavailable(
      `What came from the ${project.replica} cannot be read from the folder: ${error.message}`,
    );
  return project.database.read((db: SyncDb) => readLocal(db, project.whole, [...written.keys()]));
}

const store = (
  project: SyncedProject,
  { remembered, waiting, settled }: TakenItems,
  progress: Partial<Pick<ProjectState, 'cursor'>>,
): Promise<void> =>
  project.database.write(async (db: SyncDb) => {
    await rememberItems(db, project, remembered);
    await dropInbox(db, project, settled);
    await putInbox(db, project, waiting);
    if (Object.keys(progress).length > 0) await patchState(db, project, progress);
  });
