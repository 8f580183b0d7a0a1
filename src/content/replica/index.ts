export {
  createDeletionGuard,
  type DeletionGuard,
  isMassDeletion,
  MOST_AT_ONCE,
  MOST_SHARE,
} from './deletion-guard.ts';
export { ABSENT, type KeyState, keyStep, NOTHING_KNOWN } from './key-state.ts';
export type { Step } from './step.ts';
