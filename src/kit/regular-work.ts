import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

export interface RegularWorkOptions {
  /** For the log, such as `the sending of mails`. */
  what: string;
  everyMs: number;
  log: Log;
  work(signal: AbortSignal): Promise<void>;
}

/** Work that is done again and again, one run at a time. A failure is logged once until it changes, and the next run tries again. */
export function createRegularWork({ what, everyMs, log, work }: RegularWorkOptions) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isWanted = false;
  let problem = '';

  async function run(): Promise<void> {
    try {
      await work(stopping.signal);
      problem = '';
    } catch (error) {
      const found = messageOf(error);
      if (found !== problem && !stopping.signal.aborted) log.warn(`${what} failed: ${found}`);
      problem = found;
    }
  }

  function begin(): void {
    clearTimeout(timer);
    isWanted = false;
    running = run().finally(() => {
      running = null;
      if (!stopping.signal.aborted) timer = setTimeout(begin, isWanted ? 0 : everyMs).unref();
    });
  }

  return {
    /** Asks for a run that begins after this call. */
    soon(): void {
      if (stopping.signal.aborted || timer === undefined) return;
      isWanted = true;
      if (running === null) begin();
    },
    async start(): Promise<void> {
      timer = setTimeout(begin, 0).unref();
    },
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

export type RegularWork = ReturnType<typeof createRegularWork>;
