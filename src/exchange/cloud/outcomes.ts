import type { PushedFile, PushReply } from '../replication/push.contract.ts';
import { digitsOf, namedKey, type Outcome } from '../sync/index.ts';
import type { Pushed } from './pushed.ts';

/** The cloud has something newer and will send it. */
const NEWER = new Set(['changed', 'deleted']);
/** The cloud refuses admin-only files from this account; retrying will not help. */
const NOT_ALLOWED = 'insufficient_role';

const unknown: Outcome = { kind: 'refused', reason: 'the cloud did not say what became of it' };

/** In the order of `pushed`. */
export function outcomesOf(pushed: readonly Pushed[], reply: PushReply): Outcome[] {
  const accepted = new Set(reply.accepted);
  return pushed.map((each) =>
    each.kind === 'entity' ? entityOutcome(each, reply, accepted) : fileOutcome(each, reply),
  );
}

function entityOutcome({ change }: Pushed, reply: PushReply, accepted: ReadonlySet<string>): Outcome {
  const {
    base: { key },
    local,
  } = change;
  const name = namedKey(key);
  const isThis = (one: { entity_type: string; entity_id: string }) =>
    name.kind === 'entity' && one.entity_type === name.type && one.entity_id === name.id;
  if (reply.conflicts.some(isThis)) return { kind: 'superseded', isMerged: false };
  const rejected = reply.rejected.find(isThis);
  if (rejected)
    return NEWER.has(rejected.code)
      ? { kind: 'superseded', isMerged: true }
      : { kind: 'refused', reason: rejected.detail };
  const id = key.slice(2);
  if (!accepted.has(id)) return unknown;
  if (local === undefined) return { kind: 'stored', version: 0 };
  const stored = reply.versions[id];
  const isSame =
    stored !== undefined && digitsOf(stored.file_checksum) === local.sha256 && stored.path === local.path;
  return isSame ? { kind: 'stored', version: stored.version } : { kind: 'superseded', isMerged: true };
}

function fileOutcome(
  { change: { local, base }, sent }: Pushed & { kind: 'file' },
  { files }: PushReply,
): Outcome {
  if (files?.accepted.includes(sent.path)) return { kind: 'stored', version: 0 };
  const rejected = files?.rejected.find(({ path }) => path === sent.path);
  if (rejected === undefined) return unknown;
  if (rejected.sha256 === (local?.sha256 ?? null)) return { kind: 'stored', version: 0 };
  // A new file that vanished there at once: the cloud has nothing to send in its place.
  if (rejected.sha256 === null && sent.base_sha256 === null)
    return { kind: 'refused', reason: rejected.detail };
  const isNewer =
    rejected.code === NOT_ALLOWED
      ? rejected.sha256 !== null && rejected.sha256 !== base.sha256
      : NEWER.has(rejected.code);
  return isNewer ? { kind: 'superseded', isMerged: false } : { kind: 'refused', reason: rejected.detail };
}

/** An edit beats a deletion: a file deleted in the cloud is pushed again as new. */
export function asNew(pushed: Pushed, outcome: Outcome, { files }: PushReply): Pushed | undefined {
  if (pushed.kind !== 'file' || outcome.kind !== 'superseded' || pushed.change.local === undefined) return;
  const { sent } = pushed;
  const isGone = files?.rejected.some(({ path, sha256 }) => path === sent.path && sha256 === null);
  return isGone && sent.base_sha256 !== null
    ? { ...pushed, sent: { ...sent, base_sha256: null } satisfies PushedFile }
    : undefined;
}
