import { keyStep, type Step } from '../../content/replica/index.ts';
import { oneAhead } from '../../kit/one-ahead.ts';
import { partsOf } from '../../kit/parts.ts';
import { folderOf } from '../../world/entities/index.ts';
import { findEntityFolderRow, type RecordsDb } from '../../world/records/index.ts';
import { changesOf, isMoved, type PendingChange } from './changes.ts';
import { heldDeletions } from './deletions.ts';
import { findInbox } from './inbox.store.ts';
import { agreedItem, localState, remoteState, stateOf } from './item-state.ts';
import { dirtyAfter, rememberItems, type SyncedItem } from './items.store.ts';
import { isEntityKey, namedKey, type SyncKey } from './keys.ts';
import { staysHere } from './left-behind.ts';
import { isDamaged, type LocalItem, readLocal } from './local-tree.ts';
import type { RunningParts } from './parts.ts';
import type { Change } from './replica.ts';
import { heldSample, isUntouchedSample, sampleHashes } from './sample-world.ts';
import { sendPart } from './send-part.ts';
import type { HeldDeletions } from './sync.contract.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

export interface PushOptions {
  cursor: string | null;
  force: boolean;
  /** Retry what the replica refused before. */
  refused: boolean;
}

export interface PushResult {
  cursor: string | null;
  hasNewer: boolean;
  held: HeldDeletions | null;
}

const PAGE = 500;
/** Per request. A replica has fixed costs per request, so a few large ones are faster. */
const MOST_ITEMS = 2_000;
const MOST_BYTES = 6_000_000;

/**
 * Definitions first, since the replica reads entities by them. Deletions last, since other changes may reuse their bytes,
 * except where another entity takes over the place. Moves go together because they may depend on each other.
 */
const ORDER = ['definitions', 'replaced', 'moves', 'entities', 'files', 'deletions'] as const;
type Group = (typeof ORDER)[number];
const DELETIONS: readonly Group[] = ['replaced', 'deletions'];

function groupOf({ base, local, keepsFolder }: PendingChange): Group {
  const name = namedKey(base.key);
  if (local === undefined) return keepsFolder ? 'replaced' : 'deletions';
  if (name.kind === 'entity') return isMoved(base, local) ? 'moves' : 'entities';
  return name.path.startsWith('_') ? 'definitions' : 'files';
}

interface Plan {
  groups: Map<Group, PendingChange[]>;
  /** Something here yields to the replica's version. */
  hasNewer: boolean;
}

/**
 * Groups what must be sent and settles what no longer needs sending. The untouched sample world is sent only if forced, and
 * yields to anything of the same name in the replica.
 */
async function plan(
  { project, replica, tally }: RunningParts,
  { refused, force }: Pick<PushOptions, 'refused' | 'force'>,
): Promise<Plan> {
  const groups = new Map<Group, PendingChange[]>(ORDER.map((group) => [group, []]));
  // Loaded on first use: most rounds send nothing.
  let sample: ReadonlySet<string> | undefined = force || replica.takesSample ? new Set() : undefined;
  async function isSample(item: SyncedItem, local: LocalItem): Promise<boolean> {
    sample ??= await sampleHashes(project.whole);
    const hashes = sample;
    return project.database.read((db: SyncDb) => isUntouchedSample(db, project.whole, item, local, hashes));
  }
  const heldKeys: SyncKey[] = [];
  let hasNewer = false;
  let after = '';
  for (;;) {
    const page = await project.database.read(async (db: SyncDb) => {
      const items = await dirtyAfter(db, project, { after, limit: PAGE, refused });
      const keys = items.map(({ key }) => key);
      return {
        items,
        local: await readLocal(db, project.whole, keys),
        inbox: await findInbox(db, project, keys),
      };
    });
    const last = page.items.at(-1);
    if (last === undefined) {
      tally.holdSample(heldSample(heldKeys));
      return { groups, hasNewer };
    }
    after = last.key;
    const settled: SyncedItem[] = [];
    for (const item of page.items) {
      const local = page.local.get(item.key);
      const arrived = page.inbox.get(item.key);
      const state = stateOf(item);
      const remote = arrived ? remoteState(arrived) : state.synced;
      const step = keyStep(state, localState(item.key, local), remote);
      if (local?.problem && (isPush(step) || isDamaged(local))) tally.leave(item.key, local.problem);
      else if (local && isPush(step) && (await isSample(item, local))) {
        if (remote === undefined) heldKeys.push(item.key);
        else settled.push({ ...item, sha256: local.sha256, path: local.path, dirty: 0, problem: null });
        hasNewer ||= remote !== undefined;
      } else if (isPush(step)) {
        const waiting = {
          base: item,
          local,
          keepsFolder: await keepsFolder(project, item, local),
        };
        groups.get(groupOf(waiting))?.push(waiting);
      } else
        settled.push(step === 'note' && arrived ? agreedItem(arrived) : { ...item, dirty: 0, problem: null });
    }
    await settle(project, settled);
  }
}

async function keepsFolder(
  project: SyncedProject,
  item: SyncedItem,
  local: LocalItem | undefined,
): Promise<boolean> {
  const { key, path } = item;
  if (!isEntityKey(key) || path === null) return false;
  const folder = folderOf(path);
  if (local) return isMoved(item, local) && folder !== folderOf(local.path) && staysHere(project, folder);
  return (
    (await project.database.read((db: RecordsDb) => findEntityFolderRow(db, project.whole, folder))) !==
    undefined
  );
}

const isPush = (step: Step | null): boolean =>
  step === 'push' || step === 'push_deletion' || step === 'merge';

const settle = (project: SyncedProject, items: readonly SyncedItem[]): Promise<void> =>
  project.database.write((db: SyncDb) => rememberItems(db, project, items));

/** Splits a group into requests within the limits. */
async function* requestsOf(
  project: SyncedProject,
  group: readonly PendingChange[],
): AsyncGenerator<Change[]> {
  let part: Change[] = [];
  let bytes = 0;
  for (const page of partsOf(group, PAGE)) {
    for await (const change of changesOf(project.whole, page)) {
      const size = Buffer.byteLength(change.content ?? '');
      if (part.length > 0 && (part.length >= MOST_ITEMS || bytes + size > MOST_BYTES)) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(change);
      bytes += size;
    }
  }
  if (part.length > 0) yield part;
}

/** Sends what waits. Too many deletions at once are withheld and reported. */
export async function pushChanges(parts: RunningParts, options: PushOptions): Promise<PushResult> {
  const { project } = parts;
  const { groups, hasNewer } = await plan(parts, options);
  const deletions = DELETIONS.flatMap((group) => groups.get(group) ?? []);
  const places = deletions.map(({ base: { key, path, sha256 } }) => ({ key, path, sha256 }));
  const holds = options.force ? null : await heldDeletions(project, 'in_the_cloud', places);
  if (holds) for (const group of DELETIONS) groups.set(group, []);
  const result: PushResult = { cursor: options.cursor, hasNewer, held: holds };
  const remembering = { latest: Promise.resolve() };
  try {
    await sendGroups(parts, groups, { force: options.force, result, remembering });
  } finally {
    // Even after a failure: a late write must not overwrite what a later round notes.
    await remembering.latest;
  }
  return result;
}

/** Outcomes are stored while the next request is under way. */
async function sendGroups(
  parts: RunningParts,
  groups: ReadonlyMap<Group, PendingChange[]>,
  {
    force,
    result,
    remembering,
  }: { force: boolean; result: PushResult; remembering: { latest: Promise<void> } },
): Promise<void> {
  for (const group of ORDER) {
    for await (const part of oneAhead(requestsOf(parts.project, groups.get(group) ?? []))) {
      const sent = await sendPart(parts, part, { cursor: result.cursor, force, before: remembering.latest });
      if (sent === null) {
        result.held = { where: 'in_the_cloud', deletions: part.length, of: 0, examples: [] };
        continue;
      }
      result.hasNewer ||= sent.hasNewer || sent.cursor === null;
      result.cursor = sent.cursor ?? result.cursor;
      remembering.latest = sent.remembered;
      // The replica will move a folder back, so files must not be sent from its current place.
      if (group === 'moves' && sent.hasNewer) return;
    }
  }
}
