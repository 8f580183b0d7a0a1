import { isHiddenName } from '../../files/paths.ts';
import { isFolder } from './folder-tree.ts';
import { createNewFolders } from './new-folders.ts';

export type Subscribe = (
  folder: string,
  callback: (error: Error | null, events: WatchEvent[]) => void,
  options: { ignore: RegExp[] },
) => Promise<Subscription>;

export interface WatchEvent {
  /** absolute */
  path: string;
  type: 'create' | 'update' | 'delete';
}

interface Subscription {
  unsubscribe(): Promise<void>;
}

export interface ParcelWatchOptions {
  /** A real path, as events name it. */
  root: string;
  subscribe: Subscribe;
  isOwn: (path: string) => boolean;
  onPaths: (paths: string[], eventCount: number) => void;
  /** Changes may have been missed; the watch continues. */
  onLost: (reason: string) => void;
  onEnd: (reason: string) => void;
}

export interface ParcelWatch {
  open(): Promise<void>;
  /** Never rejects; no callback runs after the call. */
  close(): Promise<void>;
}

// Covers most of `isHiddenName`: dot entries, which include our own temporary files, and node_modules.
const ignore = [/(^|\/)(\.|node_modules(\/|$))/];
/**
 * The library silently drops events when its queue (16,384) is full; groups of this size suggest that. Our own files come
 * more slowly.
 */
const suspiciousGroup = 1_000;
const mostFolderWatches = 200;
/** A watch is renewed after this many milliseconds of calm, at the latest after the second limit. */
const calmMs = 2_000;
const longestStormMs = 10_000;

/** One watch over a tree, kept complete while folders come and go. */
export function createParcelWatch({
  root,
  subscribe,
  isOwn,
  onPaths,
  onLost,
  onEnd,
}: ParcelWatchOptions): ParcelWatch {
  const ended = new AbortController();
  const folderWatches = new Map<string, Subscription>();
  let main: Subscription | undefined;
  let renewal: { timer: NodeJS.Timeout; dueAt: number } | undefined;

  const end = (reason: string) => {
    if (ended.signal.aborted) return;
    void close();
    onEnd(reason);
  };

  const heard = (error: Error | null, events: WatchEvent[]) => {
    if (ended.signal.aborted) return;
    if (error !== null) return end(error.message);
    if (events.some((event) => event.path === root)) return end('the content folder was moved or deleted');
    const visible = events
      .map((event) => ({ type: event.type, path: event.path.slice(root.length + 1) }))
      .filter(({ path }) => !path.split('/').some(isHiddenName));
    onPaths(
      visible.map(({ path }) => path),
      events.length,
    );
    const others = visible.filter(({ path }) => !isOwn(path));
    if (others.length >= suspiciousGroup) {
      return renewSoon('so many changes at once that some may have been missed');
    }
    // Updates count too: a folder that was removed and recreated at once is reported as one.
    for (const { path, type } of visible) if (type !== 'delete') void followNewFolder(path);
  };

  const watchFolder = async (folder: string) => {
    if (folderWatches.size >= mostFolderWatches) return renewSoon('many new folders');
    await folderWatches.get(folder)?.unsubscribe().catch(ignored);
    folderWatches.delete(folder);
    try {
      const subscription = await subscribe(`${root}/${folder}`, heardBelow(folder), { ignore });
      if (ended.signal.aborted) await subscription.unsubscribe().catch(ignored);
      else folderWatches.set(folder, subscription);
    } catch (error) {
      // A folder that is gone again needs no watch.
      if (isFolder(root, folder)) onLost(messageOf(error));
    }
  };

  const heardBelow = (folder: string) => (error: Error | null, events: WatchEvent[]) => {
    // Its own removal ends only this folder's watch, and the main watch reports it.
    if (error === null && !events.some((event) => event.path === `${root}/${folder}`))
      return heard(null, events);
    const subscription = folderWatches.get(folder);
    folderWatches.delete(folder);
    void subscription?.unsubscribe().catch(ignored);
    heard(null, events);
  };

  const followNewFolder = createNewFolders({
    root,
    signal: ended.signal,
    isOwn,
    onPaths: (paths) => {
      if (!ended.signal.aborted) onPaths(paths, 0);
    },
    watch: watchFolder,
  });

  const renewSoon = (reason: string) => {
    if (ended.signal.aborted) return;
    if (renewal && performance.now() + calmMs < renewal.dueAt) renewal.timer.refresh();
    renewal ??= {
      timer: setTimeout(() => {
        renewal = undefined;
        void renew(reason);
      }, calmMs),
      dueAt: performance.now() + longestStormMs,
    };
  };

  const renew = async (reason: string) => {
    try {
      await release();
      await open();
      if (!ended.signal.aborted) onLost(reason);
    } catch (error) {
      end(messageOf(error));
    }
  };

  const open = async () => {
    const subscription = await subscribe(root, heard, { ignore });
    if (ended.signal.aborted) await subscription.unsubscribe().catch(ignored);
    else main = subscription;
  };

  const release = async () => {
    const subscriptions = [...folderWatches.values(), ...(main === undefined ? [] : [main])];
    folderWatches.clear();
    main = undefined;
    for (const subscription of subscriptions) await subscription.unsubscribe().catch(ignored);
  };

  const close = async () => {
    ended.abort();
    clearTimeout(renewal?.timer);
    await release();
  };

  return { open, close };
}

/** The library fails to unsubscribe from a removed folder, which does no harm. */
function ignored(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
