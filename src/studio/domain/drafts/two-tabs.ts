import { isSame } from '../field-path.ts';
import { bodyOf, type Changes, type Draft, withoutEqual } from './draft.ts';
import type { RebaseBody } from './take-in.ts';

/**
 * Merges two tabs' states of one draft: `shared` is the last state that both knew. Changes of this tab since then stay;
 * the rest is the other's; nothing of the texts is lost.
 */
export function mergeTabs(shared: Draft, own: Draft, other: Draft, rebase: RebaseBody): Draft {
  const isOwnNewer = own.changed_at > other.changed_at;
  const [newer, older] = isOwnNewer ? [own, other] : [other, own];
  const isBehind = (newer.base?.version ?? 0) < (older.base?.version ?? 0);
  const { base, sending, conflicts } = isBehind ? older : newer;
  const [sent, server, current] = [bodyOf(shared), bodyOf(other), bodyOf(own)];
  const body = current === sent ? server : server === sent ? current : rebase({ sent, server, current });
  const changes = mergeChanges(shared.changes, own.changes, other.changes);
  return withoutEqual({ ...newer, base, sending, conflicts, changes, body });
}

function mergeChanges(shared: Changes, own: Changes, other: Changes): Changes {
  const mine = Object.entries(own).filter(([path, value]) => !isSame(value, shared[path]));
  return { ...other, ...Object.fromEntries(mine) };
}
