import { messageOf } from './errors.ts';
import type { Log } from './log.ts';

export interface Part {
  name: string;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

export interface LifecycleOptions {
  parts: readonly Part[];
  log: Log;
  /** In total. */
  deadlineMs: number;
}

export interface Lifecycle {
  /** If a part fails, those before it are stopped again and its error is thrown. */
  start(): Promise<void>;
  /**
   * In reverse order; one failure does not keep the others from stopping. False if the deadline passed first. Called during
   * the start, it ends the start; a second call does nothing.
   */
  stop(): Promise<boolean>;
}

const startFailed = (name: string, cause: unknown) =>
  new Error(`${name} did not start: ${messageOf(cause)}`, { cause });

export function createLifecycle({ parts, log, deadlineMs }: LifecycleOptions): Lifecycle {
  const started: Part[] = [];
  let starting: Promise<void> = Promise.resolve();
  let stopping: Promise<boolean> | null = null;
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
        .catch((error: unknown) => log.error(`${part.name} did not stop cleanly: ${messageOf(error)}`));
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
