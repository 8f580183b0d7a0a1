import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { NOT_WATCHING, type Watcher, type WatcherStatus } from '../../platform/watcher/watcher.ts';

export interface WatchingOptions {
  /** Null where nothing is to be watched. */
  watcher: Watcher | null;
  /** Hears which paths may have changed; `''` stands for all. */
  hint(paths: readonly string[]): void;
  log: Log;
}

/** Keeps a folder watched, as far as the system can: a watch that ended, or could not begin, is tried again. */
export function createWatching({ watcher, hint, log }: WatchingOptions) {
  let starting = Promise.resolve();
  let stopped = false;
  let paused = false;

  function lost(reason: string): void {
    log.warn(`changes in the folder may have been missed (${reason}): everything is compared`);
    // Behind whatever runs now: that may have passed what was missed.
    hint(['']);
  }

  async function begin({ isRetry }: { isRetry: boolean }): Promise<void> {
    if (watcher === null || stopped || paused || watcher.status().running) return;
    // What hindered it before was told then.
    let isQuiet = isRetry;
    const onLost = (reason: string) => {
      if (!isQuiet) lost(reason);
    };
    await watcher.start(hint, onLost).catch((error) => log.warn(`cannot watch: ${messageOf(error)}`));
    isQuiet = false;
    if (!isRetry || !watcher.status().running) return;
    log.info('the folder is watched again');
    hint(['']);
  }

  return {
    /** Resolves once changes are seen, or cannot be. */
    start(): Promise<void> {
      starting = starting.then(() => begin({ isRetry: false }));
      return starting;
    },
    /** To be called when the folder is there: begins again where the watch is over. */
    revive(): void {
      starting = starting.then(() => begin({ isRetry: true }));
    },
    /** Resolves once nothing is told any more. */
    pause(): Promise<void> {
      paused = true;
      starting = starting.then(() => watcher?.stop());
      return starting;
    },
    resume(): Promise<void> {
      paused = false;
      starting = starting.then(() => begin({ isRetry: false }));
      return starting;
    },
    isPaused: (): boolean => paused,
    status: (): WatcherStatus => watcher?.status() ?? NOT_WATCHING,
    async stop(): Promise<void> {
      stopped = true;
      await starting;
      await watcher?.stop();
    },
  };
}
