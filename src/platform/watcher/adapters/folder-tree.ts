import fs from 'node:fs';
import { createPauses } from '../../../kit/pauses.ts';
import { isHiddenName, joinPath } from '../../files/paths.ts';

export interface FolderTree {
  files: string[];
  folders: string[];
}

/**
 * The entries below a folder as relative paths, without those that vanish meanwhile or lie in folders that `isPassed`
 * names. Returns `undefined` if it is not a folder. Most paths in events are not, so this is checked synchronously: a
 * trip to the thread pool for each would cost more.
 */
export async function treeBelow(
  root: string,
  folder: string,
  isPassed: (folder: string) => boolean,
): Promise<FolderTree | undefined> {
  if (!isFolder(root, folder)) return undefined;
  const tree: FolderTree = { files: [], folders: [] };
  const open = [folder];
  const pause = createPauses();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    await pause();
    for (const entry of entriesOf(joinPath(root, at))) {
      if (isHiddenName(entry.name)) continue;
      const path = joinPath(at, entry.name);
      if (!entry.isDirectory()) tree.files.push(path);
      else {
        tree.folders.push(path);
        if (!isPassed(path)) open.push(path);
      }
    }
  }
  return tree;
}

export function isFolder(root: string, path: string): boolean {
  try {
    return fs.lstatSync(joinPath(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function entriesOf(absolute: string): fs.Dirent[] {
  try {
    return fs.readdirSync(absolute, { withFileTypes: true });
  } catch {
    return [];
  }
}
