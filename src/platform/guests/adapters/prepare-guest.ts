import { createFairQueue } from '../../../kit/queue.ts';
import { ProcessError, runInProcess } from '../../../kit/run-in-process.ts';
import { GuestError } from '../guests.ts';
import type { Preparation } from './prepare-guest.worker.ts';
import type { PreparedGuest } from './prepared.ts';

const MOST_MS = 60_000;
/** Memory limits of the process, for the translation of the largest components. */
const LIMITS = ['--max-old-space-size=512', '--wasm-max-mem-pages=12288'];

const SAID = {
  too_slow: `It takes more than ${MOST_MS / 1000} seconds to translate the component`,
  ended: 'The component cannot be translated: it may be damaged, or far too large',
  not_started: 'The component could not be translated',
};

const inTurn = createFairQueue({
  atOnce: 1,
  mostWaiting: 100,
  ofOwner: { atOnce: 1, mostWaiting: 25 },
  whenFull: () => new GuestError('busy', 'Too many components are being translated: try again shortly'),
});

/**
 * Checks a component and translates it, in a process of its own: a translation takes a core for up to some seconds and hundreds of
 * megabytes, and its input is from anyone. Owners take turns. Rejects with a `GuestError`, `refused` if the component is at fault.
 */
export function prepareGuest(component: Uint8Array, owner: string): Promise<PreparedGuest> {
  return inTurn(owner, async () => {
    const script = new URL('./prepare-guest.worker.ts', import.meta.url);
    const answer = await runInProcess<Preparation>(
      script,
      { component },
      { mostMs: MOST_MS, limits: LIMITS },
    ).catch((error: unknown) => {
      if (!(error instanceof ProcessError)) throw error;
      const code = error.failure === 'not_started' ? 'ended' : 'refused';
      throw new GuestError(code, SAID[error.failure], { cause: error });
    });
    if ('refused' in answer) throw new GuestError('refused', answer.refused);
    return answer.prepared;
  });
}
