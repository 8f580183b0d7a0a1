import { setTimeout as delay } from 'node:timers/promises';
import { createBackground } from './background.ts';
import { type Clock, isoTime } from './clock.ts';
import { unavailable } from './errors.ts';
import { newId } from './ids.ts';

export interface Progress {
  done: number;
  total: number;
}

export interface Run extends Progress {
  run_id: string | null;
  status: 'idle' | 'running' | 'completed' | 'failed';
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
  error: string | null;
}

export type Completed<Report> = Run & { report: Report };

const NO_RUN: Run = {
  run_id: null,
  status: 'idle',
  done: 0,
  total: 0,
  started_at: null,
  finished_at: null,
  duration_ms: null,
  error: null,
};

export interface RunsOptions<Owner, Report> {
  clock: Clock;
  /** Rejects if the signal aborts. */
  perform(owner: Owner, progress: Progress, signal: AbortSignal): Promise<Report>;
  /** Logs a failure unless the service `isStopping`, and puts it into words for the run. */
  onFailure(owner: Owner, error: unknown, isStopping: boolean): string;
}

/** How long a caller waits for a run, which then goes on in the background. */
const PATIENCE_MS = 20_000;

/** Long background work, one run at a time per owner. An owner's last run is remembered for as long as the owner exists. */
export function createRuns<Owner extends WeakKey, Report>(options: RunsOptions<Owner, Report>) {
  const { clock, perform, onFailure } = options;
  const latest = new WeakMap<Owner, { run: Run; over: Promise<void> }>();
  const completed = new WeakMap<Owner, Completed<Report>>();
  const turns = new WeakMap<Owner, Promise<unknown>>();
  const background = createBackground<Owner>();
  const stopping = new AbortController();

  /** Works on the owner once all earlier requests are done. */
  function inTurn<Result>(owner: Owner, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const begin = () => work(stopping.signal);
    const result = (turns.get(owner) ?? Promise.resolve()).then(begin, begin);
    turns.set(owner, result);
    background.add(owner, result);
    return result;
  }

  function start(owner: Owner) {
    const startedAt = clock.now();
    const run: Run = { ...NO_RUN, run_id: newId(), status: 'running', started_at: isoTime(startedAt) };
    const end = (outcome: Partial<Run>) => {
      const at = clock.now();
      Object.assign(run, outcome, { finished_at: isoTime(at), duration_ms: at - startedAt });
    };
    const over = inTurn(owner, (signal) => perform(owner, run, signal)).then(
      (report) => {
        end({ status: 'completed' });
        completed.set(owner, { ...run, report });
      },
      (error: unknown) => end({ status: 'failed', error: onFailure(owner, error, stopping.signal.aborted) }),
    );
    const slot = { run, over };
    latest.set(owner, slot);
    return slot;
  }

  return {
    inTurn,
    /** Starts a run or joins the running one; with `wait` it resolves at its end, or after 20 s. */
    async run(owner: Owner, { wait }: { wait: boolean }): Promise<Run> {
      if (stopping.signal.aborted) throw unavailable('The service is stopping');
      const known = latest.get(owner);
      const { run, over } = known?.run.status === 'running' ? known : start(owner);
      if (wait) await Promise.race([over, delay(PATIENCE_MS, undefined, { ref: false })]);
      return { ...run };
    },
    latest: (owner: Owner): Run => ({ ...(latest.get(owner)?.run ?? NO_RUN) }),
    completed: (owner: Owner): Completed<Report> | undefined => completed.get(owner),
    isBusy: background.isBusy,
    async stop(): Promise<void> {
      stopping.abort();
      await background.idle();
    },
  };
}
