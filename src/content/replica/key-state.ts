import { type Step, stepOf } from './step.ts';

/** In place of a checksum: nothing lies there. */
export const ABSENT = 'absent';

/** What an installation remembers of one key. */
export interface KeyState {
  /** What both sides had when they were last the same; undefined: they never were, or nothing lay there. */
  synced: string | undefined;
  /** The cloud's number of that state; 0 where there is none. */
  version: number;
  /**
   * What was sent since and is not the cloud's state: it was merged, is in a conflict, or was refused for something
   * newer. `ABSENT` for a deletion. The cloud's state may take its place here.
   */
  sent: string | undefined;
}

export const NOTHING_KNOWN: KeyState = { synced: undefined, version: 0, sent: undefined };

/** What the cloud answers to a change that it took: it holds exactly that now, or something else that knows of it. */
export type PushOutcome = { kind: 'stored'; version: number } | { kind: 'superseded' };

const isSent = ({ sent }: KeyState, local: string | undefined): boolean =>
  sent !== undefined && sent === (local ?? ABSENT);

/** What is to be done, `remote` being what the cloud has as far as is known. */
export function keyStep(state: KeyState, local: string | undefined, remote: string | undefined): Step | null {
  if (!isSent(state, local)) return stepOf(local, remote, state.synced);
  if (local === remote) return 'note';
  return remote === undefined ? 'pull_deletion' : 'pull';
}

/** The state once both sides have the same. */
export const agreed = (checksum: string | undefined, version: number): KeyState => ({
  synced: checksum,
  version: checksum === undefined ? 0 : version,
  sent: undefined,
});

/** The state after a push of `local`, which was made from `state.synced`. */
export function afterPush(state: KeyState, local: string | undefined, outcome: PushOutcome): KeyState {
  if (outcome.kind === 'stored') return agreed(local, outcome.version);
  return { ...state, sent: local ?? ABSENT };
}
