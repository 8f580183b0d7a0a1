import { isEntityKey, type SyncKey, shownKey } from './keys.ts';
import type { Changed, HeldSample } from './sync.contract.ts';

export function createRoundTally() {
  const counts = {
    pushed: 0,
    pulled: 0,
    deleted_here: 0,
    deleted_in_cloud: 0,
    merged: 0,
    conflicts: 0,
  };
  const copies: string[] = [];
  const changes = new Map<SyncKey, 'created' | 'updated' | 'deleted'>();
  const left = new Map<SyncKey, string>();
  let sample: HeldSample | null = null;
  return {
    counts,
    /** Something new stays new in this round, whatever happens to it afterwards. */
    changed(key: SyncKey, what: 'created' | 'updated' | 'deleted'): void {
      if (what === 'deleted' || changes.get(key) !== 'created') changes.set(key, what);
    },
    keptCopy: (path: string) => void copies.push(path),
    leave: (key: SyncKey, reason: string) => void left.set(key, reason),
    settle: (key: SyncKey) => void left.delete(key),
    holdSample(held: HeldSample | null): void {
      sample = held;
    },
    result: (requests: number) => ({
      requests,
      ...counts,
      kept_copies: [...copies],
      left: [...left].map(([key, reason]) => ({ key: shownKey(key), reason })),
      held_sample: sample,
      changed: countsOf(changes),
    }),
  };
}

function countsOf(changes: ReadonlyMap<SyncKey, 'created' | 'updated' | 'deleted'>): Changed {
  const counts = { entities_created: 0, entities_updated: 0, entities_deleted: 0, files: 0 };
  for (const [key, what] of changes) counts[isEntityKey(key) ? (`entities_${what}` as const) : 'files'] += 1;
  return counts;
}

export type RoundTally = ReturnType<typeof createRoundTally>;
