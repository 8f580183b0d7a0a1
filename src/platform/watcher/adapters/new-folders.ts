import { setTimeout as delay } from 'node:timers/promises';
import { folderOf } from '../../files/paths.ts';
import { treeBelow } from './folder-tree.ts';

export interface NewFoldersOptions {
  root: string;
  signal: AbortSignal;
  /** True for a folder that this process has just created: it must be watched too, but its content is known. */
  isOwn: (path: string) => boolean;
  /** Every file below a new folder, at least once. */
  onPaths: (paths: string[]) => void;
  watch: (folder: string) => Promise<void>;
}

const firstLookAgainMs = 250;
const longestLookAgainMs = 4_000;

/**
 * Follows new folders. The system reports a folder before it can be watched, so anything created in it immediately,
 * including deeper folders, goes unseen: the folder is listed now, and again until nothing new turns up.
 */
export function createNewFolders({ root, signal, isOwn, onPaths, watch }: NewFoldersOptions) {
  const followed = new Map<string, { again: boolean }>();

  /** Marks the running look that covers `path` for another pass. */
  const covered = (path: string): boolean => {
    for (let at = path; at !== ''; at = folderOf(at)) {
      const look = followed.get(at);
      if (look === undefined) continue;
      look.again = true;
      return true;
    }
    return false;
  };

  const follow = async (folder: string, look: { again: boolean }) => {
    let known = new Set<string>();
    let waitMs = firstLookAgainMs;
    for (let round = 0; !signal.aborted; round += 1) {
      const again = look.again;
      look.again = false;
      const tree = await treeBelow(root, folder, isOwn);
      if (tree === undefined) return;
      onPaths(tree.files);
      const grown = tree.folders.some((path) => !known.has(path));
      known = new Set(tree.folders);
      if (grown) await watch(folder);
      else if (round > 0 && !again && !look.again) return;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, longestLookAgainMs);
    }
  };

  /** Never rejects. */
  return async (path: string): Promise<void> => {
    if (isOwn(path) || covered(path)) return;
    const look = { again: false };
    followed.set(path, look);
    try {
      await follow(path, look);
    } finally {
      followed.delete(path);
    }
  };
}
