import { setTimeout as delay } from 'node:timers/promises';
import { folderOf } from '../../files/paths.ts';
import { treeBelow } from './folder-tree.ts';

export interface NewFoldersOptions {
  root: string;
  signal: AbortSignal;
  /** What this process made a moment ago, and what is in it, needs no look; to be watched it needs as any other. */
  isOwn: (path: string) => boolean;
  /** Hears of every file below a new folder, at least once. */
  onPaths: (paths: string[]) => void;
  /** Makes the folders below this one watched. */
  watch: (folder: string) => Promise<void>;
}

const firstLookAgainMs = 250;
const longestLookAgainMs = 4_000;

/**
 * Follows folders that appear. The system tells of a new folder before it can be watched, so what is made in it at
 * once, and every folder below it, goes unseen: look now, and again until nothing new turns up.
 */
export function createNewFolders({ root, signal, isOwn, onPaths, watch }: NewFoldersOptions) {
  const followed = new Map<string, { again: boolean }>();

  /** The look under way that covers `path`, told to look once more. */
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

  /** Follows `path` when it is a folder; never rejects. */
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
