import type { HeldSample } from './cloud-sync.ts';
import { type SyncKey, shownKey } from './keys.ts';

/** What a round has done so far. */
export function createTally() {
  const counts = {
    requests: 0,
    pushed: 0,
    pulled: 0,
    deleted_here: 0,
    deleted_in_cloud: 0,
    merged: 0,
    conflicts: 0,
  };
  const copies: string[] = [];
  const left = new Map<SyncKey, string>();
  let sample: HeldSample | null = null;
  return {
    counts,
    keptCopy: (path: string) => void copies.push(path),
    /** Something stays as it is, for a reason. */
    leave: (key: SyncKey, reason: string) => void left.set(key, reason),
    /** What was left is settled. */
    settle: (key: SyncKey) => void left.delete(key),
    /** So much of the sample world waits, as of now. */
    holdSample(held: HeldSample | null): void {
      sample = held;
    },
    result: () => ({
      ...counts,
      kept_copies: [...copies],
      left: [...left].map(([key, reason]) => ({ key: shownKey(key), reason })),
      held_sample: sample,
    }),
  };
}

export type Tally = ReturnType<typeof createTally>;
