import { promises as fs } from 'node:fs';
import { NOT_WATCHING, type Watcher, type WatcherStatus } from '../watcher.ts';
import { createParcelWatch, type ParcelWatch, type Subscribe } from './parcel-watch.ts';

export interface ParcelWatcherOptions {
  root: string;
  /** This process has just written the file, or created the folder for one: its content is known. */
  isOwn?: (path: string) => boolean;
  /** The library's function; loaded on start if not given. */
  subscribe?: Subscribe;
}

const groupMs = 40;

export function createParcelWatcher({ root, isOwn = () => false, subscribe }: ParcelWatcherOptions): Watcher {
  const state: WatcherStatus = { ...NOT_WATCHING };
  let watch: ParcelWatch | undefined;
  let group = createGroup(() => {});

  const start = async (onPaths: (paths: string[]) => void, onLost: (reason: string) => void) => {
    await stop();
    const lost = (reason: string) => {
      state.losses += 1;
      onLost(reason);
    };
    const failed = (reason: string) => {
      Object.assign(state, { running: false, backend: 'none', error: reason });
      lost(reason);
    };
    group = createGroup(onPaths);
    try {
      watch = createParcelWatch({
        root: await fs.realpath(root),
        isOwn,
        subscribe: subscribe ?? (await import('@parcel/watcher')).default.subscribe,
        onPaths: (paths, eventCount) => {
          if (eventCount > 0) state.last_event_at = new Date().toISOString();
          state.events_seen += eventCount;
          group.add(paths);
        },
        onLost: lost,
        onEnd: failed,
      });
      await watch.open();
      Object.assign(state, { running: true, backend: '@parcel/watcher', error: null });
    } catch (error) {
      failed(explained(error));
    }
  };

  const stop = async () => {
    const stopped = watch;
    watch = undefined;
    group.close();
    await stopped?.close();
    Object.assign(state, { running: false, backend: 'none' });
  };

  return { start, stop, status: () => ({ ...state }) };
}

/** For a short while, each path once. */
function createGroup(onPaths: (paths: string[]) => void) {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const flush = () => {
    const gathered = [...paths];
    paths = new Set();
    timer = undefined;
    onPaths(gathered);
  };

  return {
    add: (more: string[]) => {
      if (closed || more.length === 0) return;
      for (const path of more) paths.add(path);
      timer ??= setTimeout(flush, groupMs);
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function explained(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!/no space left/i.test(message)) return message;
  return `${message}: the system's limit of watched folders is reached; raise fs.inotify.max_user_watches`;
}
