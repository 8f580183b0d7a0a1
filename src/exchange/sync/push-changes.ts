import { keyStep, type Step } from '../../content/replica/index.ts';
import { oneAhead } from '../../kit/one-ahead.ts';
import { partsOf } from '../../kit/parts.ts';
import { folderOf } from '../../world/entities/index.ts';
import { findEntityFolderRow, type Project, type RecordsDb } from '../../world/records/index.ts';
import { changesOf, isMoved, type Waiting } from './changes.ts';
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

export interface PushOptions {
  cursor: string | null;
  force: boolean;
  /** Whether what the cloud refused as it is is tried again. */
  refused: boolean;
}

export interface PushResult {
  cursor: string | null;
  hasNewer: boolean;
  held: HeldDeletions | null;
}

const PAGE = 500;
/** Of one request: between two of them a replica waits, so that few large ones are quicker. */
const MOST_ITEMS = 2_000;
const MOST_BYTES = 6_000_000;

/**
 * Templates and rules first, since the cloud reads entities by them; deletions last, since their bytes may be needed,
 * but of those whose place another entity takes, which goes first. Moves go together, since they may wait for each other.
 */
const ORDER = ['definitions', 'replaced', 'moves', 'entities', 'files', 'deletions'] as const;
type Group = (typeof ORDER)[number];
const DELETIONS: readonly Group[] = ['replaced', 'deletions'];

function groupOf({ base, local, keepsFolder }: Waiting): Group {
  const name = namedKey(base.key);
  if (local === undefined) return keepsFolder ? 'replaced' : 'deletions';
  if (name.kind === 'entity') return isMoved(base, local) ? 'moves' : 'entities';
  return name.path.startsWith('_') ? 'definitions' : 'files';
}

interface Plan {
  groups: Map<Group, Waiting[]>;
  /** Whether something here gives way to what the cloud has in its place. */
  hasNewer: boolean;
}

/**
 * What is to be sent, in groups. What needs no sending after all is remembered as such. Of the sample world nothing is sent
 * unasked, and where the cloud has something of that name, it takes the sample's place.
 */
async function plan(
  { project, tally }: RunningParts,
  { refused, force }: Pick<PushOptions, 'refused' | 'force'>,
): Promise<Plan> {
  const groups = new Map<Group, Waiting[]>(ORDER.map((group) => [group, []]));
  // Most rounds have nothing to send, and need no list.
  let sample: ReadonlySet<string> | undefined = force ? new Set() : undefined;
  async function isSample(item: SyncedItem, local: LocalItem): Promise<boolean> {
    sample ??= await sampleHashes(project);
    const hashes = sample;
    return project.database.read((db: SyncDb) => isUntouchedSample(db, project, item, local, hashes));
  }
  const heldKeys: SyncKey[] = [];
  let hasNewer = false;
  let after = '';
  for (;;) {
    const page = await project.database.read(async (db: SyncDb) => {
      const items = await dirtyAfter(db, project, { after, limit: PAGE, refused });
      const keys = items.map(({ key }) => key);
      return { items, local: await readLocal(db, project, keys), inbox: await findInbox(db, project, keys) };
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
  project: Project,
  item: SyncedItem,
  local: LocalItem | undefined,
): Promise<boolean> {
  const { key, path } = item;
  if (!isEntityKey(key) || path === null) return false;
  const folder = folderOf(path);
  if (local) return isMoved(item, local) && folder !== folderOf(local.path) && staysHere(project, folder);
  return (
    (await project.database.read((db: RecordsDb) => findEntityFolderRow(db, project, folder))) !== undefined
  );
}

const isPush = (step: Step | null): boolean =>
  step === 'push' || step === 'push_deletion' || step === 'merge';

const settle = (project: Project, items: readonly SyncedItem[]): Promise<void> =>
  project.database.write((db: SyncDb) => rememberItems(db, project, items));

/** The changes of a group, a part at a time, none larger than one request may be. */
async function* requestsOf(project: Project, group: readonly Waiting[]): AsyncGenerator<Change[]> {
  let part: Change[] = [];
  let bytes = 0;
  for (const page of partsOf(group, PAGE)) {
    for await (const change of changesOf(project, page)) {
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

/** Sends what waits, in parts. Deletions that are too many at once are left out and told. */
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
    // After a failure too: a later round must not find what it notes overwritten by what this one heard.
    await remembering.latest;
  }
  return result;
}

/** What became of one part is remembered while the next is under way. */
async function sendGroups(
  parts: RunningParts,
  groups: ReadonlyMap<Group, Waiting[]>,
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
      // Where a folder has to go back, what is in it is not sent from where it is now.
      if (group === 'moves' && sent.hasNewer) return;
    }
  }
}
