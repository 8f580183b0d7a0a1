import { type Step, stepOf } from './step.ts';

/** In place of a checksum: nothing lies there. */
export const ABSENT = 'absent';

/** An installation's memory of one key. */
export interface KeyState {
  /** The checksum when both sides were last the same; undefined: they never were, or both had nothing. */
  synced: string | undefined;
  /**
   * What was sent since and is not the cloud's state: it was merged, is in a conflict, or was refused for something
   * newer. `ABSENT` for a deletion. The cloud's state may take its place here.
   */
  sent: string | undefined;
}

export const NOTHING_KNOWN: KeyState = { synced: undefined, sent: undefined };

const isSent = ({ sent }: KeyState, local: string | undefined): boolean =>
  sent !== undefined && sent === (local ?? ABSENT);

/** The next step for a key; `remote` is the cloud's state as far as known. */
export function keyStep(state: KeyState, local: string | undefined, remote: string | undefined): Step | null {
  if (!isSent(state, local)) return stepOf(local, remote, state.synced);
  if (local === remote) return 'note';
  return remote === undefined ? 'pull_deletion' : 'pull';
}
