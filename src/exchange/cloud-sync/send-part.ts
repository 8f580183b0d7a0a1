import { afterPush, type PushOutcome } from '../../content/replica/index.ts';
import { newId } from '../../kit/ids.ts';
import type { Project } from '../../world/records/index.ts';
import type { PushReply } from '../replication/push.contract.ts';
import type { Cloud } from './cloud-port.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { keepConflicts } from './conflicts.store.ts';
import { dropInbox } from './inbox.store.ts';
import { localState, stateOf } from './item-state.ts';
import { dropItems, putItems, type SyncedItem } from './items.store.ts';
import { namedKey } from './keys.ts';
import { digitsOf } from './pulled-item.ts';
import type { Change } from './push-parts.ts';
import { patchState } from './state.store.ts';
import type { Tally } from './tally.ts';

/** What became of one change: `refused` says why, and it is not sent again as it is. */
type Answered = PushOutcome | { kind: 'refused'; reason: string };

/** The cloud has something newer, which it sends. */
const NEWER = new Set(['changed', 'deleted']);
/** What takes an administrator is not to be changed from here, whatever it was made from. */
const NOT_ALLOWED = 'insufficient_role';

function answerTo(change: Change, reply: PushReply, accepted: ReadonlySet<string>): Answered {
  const name = namedKey(change.key);
  if (name.kind === 'file') return answerToFile(change, name.path, reply);
  const id = `${name.type}/${name.id}`;
  const isThis = (one: { entity_type: string; entity_id: string }) =>
    one.entity_type === name.type && one.entity_id === name.id;
  if (reply.conflicts.some(isThis)) return { kind: 'superseded' };
  const rejected = reply.rejected.find(isThis);
  if (rejected)
    return NEWER.has(rejected.code) ? { kind: 'superseded' } : { kind: 'refused', reason: rejected.detail };
  if (!accepted.has(id)) return { kind: 'refused', reason: 'the cloud did not say what became of it' };
  if (change.local === undefined) return { kind: 'stored', version: 0 };
  const stored = reply.versions[id];
  const isSame =
    stored !== undefined &&
    digitsOf(stored.file_checksum) === change.local.sha256 &&
    stored.path === change.local.path;
  return isSame ? { kind: 'stored', version: stored.version } : { kind: 'superseded' };
}

function answerToFile({ local, item }: Change, path: string, { files }: PushReply): Answered {
  if (files?.accepted.includes(path)) return { kind: 'stored', version: 0 };
  const rejected = files?.rejected.find((one) => one.path === path);
  if (rejected === undefined) return { kind: 'refused', reason: 'the cloud did not say what became of it' };
  if (rejected.sha256 === (local?.sha256 ?? null)) return { kind: 'stored', version: 0 };
  // A new file that went there as soon as it came: the cloud has nothing that it would send in its place.
  if (rejected.sha256 === null && item.sha256 === null) return { kind: 'refused', reason: rejected.detail };
  const isNewer =
    rejected.code === NOT_ALLOWED
      ? rejected.sha256 !== null && rejected.sha256 !== item.sha256
      : NEWER.has(rejected.code);
  return isNewer ? { kind: 'superseded' } : { kind: 'refused', reason: rejected.detail };
}

export interface SendParts {
  project: Project;
  cloud: Cloud;
  tally: Tally;
}

export interface PartResult {
  /** Where to go on in the cloud's changes: nobody else changed anything. */
  cursor: string | null;
  /** Whether the cloud has something newer than what was sent. */
  hasNewer: boolean;
  /** Files that are to be sent as new ones, since the cloud deleted them. */
  again: Change[];
  /** Resolves when all of this is remembered; what is not is sent again, which changes nothing twice. */
  remembered: Promise<void>;
}

/** Sends some changes as one request; what the cloud says of each is remembered after what it said `before`. */
export async function sendPart(
  { project, cloud, tally }: SendParts,
  changes: readonly Change[],
  { cursor, force, before }: { cursor: string | null; force: boolean; before: Promise<void> },
): Promise<PartResult> {
  const sent = {
    entities: changes.flatMap((change) => (change.kind === 'entity' ? [change.sent] : [])),
    files: changes.flatMap((change) => (change.kind === 'file' ? [change.sent] : [])),
    cursor,
    force,
  };
  const reply = await cloud.push(sent, newId());
  const accepted = new Set(reply.accepted);
  const next: SyncedItem[] = [];
  const forgotten: string[] = [];
  const again: Change[] = [];
  let hasNewer = false;
  for (const change of changes) {
    const answer = answerTo(change, reply, accepted);
    const { key, item, local } = change;
    if (answer.kind === 'superseded' && isGoneThere(change, reply)) {
      again.push(asNew(change));
      continue;
    }
    hasNewer ||= answer.kind === 'superseded';
    count(tally, change, answer, reply);
    if (answer.kind === 'refused') {
      tally.leave(key, answer.reason);
      next.push({ ...item, dirty: 2, problem: answer.reason });
      continue;
    }
    tally.settle(key);
    if (answer.kind === 'stored' && local === undefined) forgotten.push(key);
    else next.push(itemAfter(change, answer));
  }
  const nextCursor = hasNewer || again.length > 0 ? null : reply.cursor;
  const stored = next.filter(({ sent, dirty }) => sent === null && dirty === 0).map(({ key }) => key);
  const remember = () =>
    project.database.write(async (db: CloudSyncDb) => {
      await putItems(db, project.database.dialect, project, next);
      await dropItems(db, project, forgotten);
      await dropInbox(db, project, [...stored, ...forgotten]);
      await keepConflicts(db, project.database.dialect, project, reply.conflicts);
      if (nextCursor !== null) await patchState(db, project, { cursor: nextCursor });
    });
  const remembered = before.then(remember);
  // Who waits for it in the end hears of a failure.
  remembered.catch(() => {});
  return { cursor: nextCursor, hasNewer, again, remembered };
}

function itemAfter({ key, item, local }: Change, answer: PushOutcome): SyncedItem {
  const { version, sent = null } = afterPush(stateOf(item), localState(key, local), answer);
  const stored = answer.kind === 'stored' && local ? { sha256: local.sha256, path: local.path } : {};
  return { ...item, ...stored, version, sent, dirty: 0, problem: null };
}

/** An edit beats a deletion: a file that the cloud deleted comes back as a new one. */
function isGoneThere({ key, kind, local, item }: Change, { files }: PushReply): boolean {
  if (kind !== 'file' || local === undefined || item.sha256 === null) return false;
  const name = namedKey(key);
  return (
    files?.rejected.some((one) => name.kind === 'file' && one.path === name.path && one.sha256 === null) ===
    true
  );
}

function asNew(change: Change): Change {
  if (change.kind !== 'file') throw new Error('only files are sent as new ones');
  return {
    ...change,
    item: { ...change.item, sha256: null },
    sent: { ...change.sent, base_sha256: null },
  };
}

function count(tally: Tally, { key, local }: Change, answer: Answered, reply: PushReply): void {
  const { counts } = tally;
  if (answer.kind === 'stored' && local === undefined) counts.deleted_in_cloud += 1;
  else if (answer.kind === 'stored') counts.pushed += 1;
  else if (answer.kind === 'superseded' && local !== undefined) {
    const name = namedKey(key);
    const isConflict =
      name.kind === 'file' ||
      reply.conflicts.some((one) => one.entity_type === name.type && one.entity_id === name.id);
    if (isConflict) counts.conflicts += 1;
    else counts.merged += 1;
  }
}
