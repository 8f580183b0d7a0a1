import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { NOT_WATCHING, type Watcher, type WatcherStatus } from '../../platform/watcher/watcher.ts';

export interface WatchingOptions {
  watcher: Watcher | null;
  /** Receives paths that may have changed; `''` stands for all. */
  hint(paths: readonly string[]): void;
  log: Log;
}

/** Keeps a folder watched as far as the system allows: a watch that ended, or could not start, is tried again. */
export function createWatching({ watcher, hint, log }: WatchingOptions) {
  let starting = Promise.resolve();
  let stopped = false;
  let paused = false;

  function lost(reason: string): void {
    log.warn(`changes in the folder may have been missed (${reason}): everything is compared`);
    // This run is queued behind the present one, which may have passed missed changes.
    hint(['']);
  }

  async function begin({ isRetry }: { isRetry: boolean }): Promise<void> {
    if (watcher === null || stopped || paused || watcher.status().running) return;
    // A retry is quiet, since the reason was logged the first time.
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
    /** Resolves when the watch has started or failed to. */
    start(): Promise<void> {
      starting = starting.then(() => begin({ isRetry: false }));
      return starting;
    },
    /** Starts the watch again if it is over; for callers that see the folder is there. */
    revive(): void {
      starting = starting.then(() => begin({ isRetry: true }));
    },
    /** Resolves after the last hint. */
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
