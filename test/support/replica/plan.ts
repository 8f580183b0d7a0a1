import { type KeyState, keyStep, NOTHING_KNOWN } from '../../../src/content/replica/key-state.ts';
import type { Step } from '../../../src/content/replica/step.ts';

/** Checksums by key; a missing key has nothing. */
export type Tree = ReadonlyMap<string, string>;

export interface Replica {
  local: Tree;
  /** As far as known. */
  remote: Tree;
  /** The last state both agreed on. */
  known: ReadonlyMap<string, KeyState>;
}

export interface PlannedStep {
  key: string;
  step: Step;
}

/** For each key that is not the same in all three, in order. */
export function planReplica({ local, remote, known }: Replica): PlannedStep[] {
  const keys = new Set([...local.keys(), ...remote.keys(), ...known.keys()]);
  return [...keys].sort().flatMap((key) => {
    const step = keyStep(known.get(key) ?? NOTHING_KNOWN, local.get(key), remote.get(key));
    return step === null ? [] : [{ key, step }];
  });
}
