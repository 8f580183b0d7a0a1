import { type SyncKey, shownKey } from './keys.ts';
import type { HeldSample } from './sync.contract.ts';

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
  const left = new Map<SyncKey, string>();
  let sample: HeldSample | null = null;
  return {
    counts,
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
    }),
  };
}

export type RoundTally = ReturnType<typeof createRoundTally>;
