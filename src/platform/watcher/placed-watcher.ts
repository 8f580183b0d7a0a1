import type { FileStoreDescription } from '../files/files.ts';
import { NOT_WATCHING, type Watcher } from './watcher.ts';

export interface PlacedWatcherOptions {
  describe(): Promise<FileStoreDescription>;
  open(place: FileStoreDescription): Watcher;
  /** Returns the function that stops it. */
  onMoved(listener: () => void): () => void;
}

export function createPlacedWatcher({ describe, open, onMoved }: PlacedWatcherOptions): Watcher {
  let watcher: Watcher | null = null;
  let working = Promise.resolve();
  let forget = () => {};

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    working = working.catch(() => undefined).then(work);
    return working;
  };

  const stop = async () => {
    await watcher?.stop();
    watcher = null;
  };

  const start: Watcher['start'] = async (onPaths, onLost) => {
    await stop();
    watcher = open(await describe());
    await watcher.start(onPaths, onLost);
  };

  return {
    start(onPaths, onLost) {
      forget();
      forget = onMoved(() => {
        const again = inTurn(() => start(onPaths, onLost));
        again.then(
          () => onPaths(['']),
          (error: unknown) => onLost(String(error)),
        );
      });
      return inTurn(() => start(onPaths, onLost));
    },
    stop() {
      forget();
      return inTurn(stop);
    },
    status: () => watcher?.status() ?? NOT_WATCHING,
  };
}
