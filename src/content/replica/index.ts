export {
  ABSENT,
  afterPush,
  agreed,
  type KeyState,
  keyStep,
  NOTHING_KNOWN,
  type PushOutcome,
} from './key-state.ts';
export { isMassDeletion, type PlannedStep, planReplica, type Tree } from './plan.ts';
export type { Step } from './step.ts';
