import { NOT_WATCHING, type Watcher, type WatcherStatus } from '../watcher.ts';

/** For storage that does not report changes. */
export function createPollingWatcher({ everyMs }: { everyMs: number }): Watcher {
  const state: WatcherStatus = { ...NOT_WATCHING };
  let timer: NodeJS.Timeout | undefined;
  return {
    async start(onPaths) {
      clearInterval(timer);
      timer = setInterval(() => onPaths(['']), everyMs).unref();
      Object.assign(state, { running: true, backend: 'polling' });
    },
    async stop() {
      clearInterval(timer);
      Object.assign(state, { running: false, backend: 'none' });
    },
    status: () => ({ ...state }),
  };
}
