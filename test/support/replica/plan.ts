import { type KeyState, keyStep, NOTHING_KNOWN } from '../../../src/content/replica/key-state.ts';
import type { Step } from '../../../src/content/replica/step.ts';

/** What lies at each key: the checksum of its bytes. A key that is not there is absent. */
export type Tree = ReadonlyMap<string, string>;

export interface Replica {
  /** As it is here. */
  local: Tree;
  /** As the cloud has it, as far as is known. */
  remote: Tree;
  /** As both had it when they were last the same. */
  known: ReadonlyMap<string, KeyState>;
}

export interface PlannedStep {
  key: string;
  step: Step;
}

/** What to do for each key that is not the same in all three, in the order of the keys. */
export function planReplica({ local, remote, known }: Replica): PlannedStep[] {
  const keys = new Set([...local.keys(), ...remote.keys(), ...known.keys()]);
  return [...keys].sort().flatMap((key) => {
    const step = keyStep(known.get(key) ?? NOTHING_KNOWN, local.get(key), remote.get(key));
    return step === null ? [] : [{ key, step }];
  });
}
