import { type Step, stepOf } from './step.ts';

/** In place of a checksum. */
export const ABSENT = 'absent';

/** An installation's memory of a key. */
export interface KeyState {
  /** The last checksum both sides had; undefined if they never agreed, or both had nothing. */
  synced: string | undefined;
  /**
   * The checksum that was sent but superseded: merged, in conflict, or refused for something newer. `ABSENT` for a deletion.
   * The cloud's state may replace it here.
   */
  sent: string | undefined;
}

export const NOTHING_KNOWN: KeyState = { synced: undefined, sent: undefined };

const isSent = ({ sent }: KeyState, local: string | undefined): boolean =>
  sent !== undefined && sent === (local ?? ABSENT);

/** `remote` is the cloud's last known state. */
export function keyStep(state: KeyState, local: string | undefined, remote: string | undefined): Step | null {
  if (!isSent(state, local)) return stepOf(local, remote, state.synced);
  if (local === remote) return 'note';
  return remote === undefined ? 'pull_deletion' : 'pull';
}
