import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

/** Something with a beginning and an end. */
export interface Part {
  name: string;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export interface LifecycleOptions {
  parts: readonly Part[];
  log: Log;
  /** Milliseconds that stopping may take in all. */
  deadlineMs: number;
}

export interface Lifecycle {
  /** Starts the parts in order. When one fails, those before it are stopped again and its error is thrown. */
  start(): Promise<void>;
  /**
   * Stops what was started, last first; a part that fails does not keep the others from stopping. Answers false when
   * the deadline passed first. Stopping twice is stopping once; stopping during the start ends the start.
   */
  stop(): Promise<boolean>;
}

const startFailed = (name: string, cause: unknown) =>
  new Error(`${name} did not start: ${messageOf(cause)}`, { cause });

/** Starts parts in order and stops them in reverse. */
export function createLifecycle({ parts, log, deadlineMs }: LifecycleOptions): Lifecycle {
  const started: Part[] = [];
  let starting: Promise<void> = Promise.resolve();
  let stopping: Promise<boolean> | null = null;
  /** The part that is being stopped. */
  let current = '';

  async function startAll(): Promise<void> {
    for (const part of parts) {
      if (stopping) return;
      try {
        await part.start?.();
      } catch (error) {
        await stopAll();
        throw startFailed(part.name, error);
      }
      started.push(part);
    }
  }

  async function stopAll(): Promise<void> {
    for (let part = started.pop(); part; part = started.pop()) {
      current = part.name;
      await part
        .stop?.()
        .catch((error: unknown) => log.error(`${part.name} did not stop well: ${messageOf(error)}`));
    }
  }

  async function stopInTime(): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), deadlineMs);
    const all = starting
      .catch(() => {})
      .then(stopAll)
      .then(() => true);
    const inTime = await Promise.race([all, late]);
    clearTimeout(timer);
    if (!inTime)
      log.error(`stopping takes longer than ${deadlineMs / 1000} s: ${current || 'the start'} does not end`);
    return inTime;
  }

  return {
    start() {
      starting = startAll();
      return starting;
    },
    stop() {
      stopping ??= stopInTime();
      return stopping;
    },
  };
}
