import { promises as fs } from 'node:fs';
import { isHiddenName, joinPath } from '../../files/paths.ts';

export interface FolderTree {
  files: string[];
  /** Without the folder itself. */
  folders: string[];
}

/** What is below a folder, as relative paths; what vanishes meanwhile is left out. `undefined` when it is no folder. */
export async function treeBelow(root: string, folder: string): Promise<FolderTree | undefined> {
  const stats = await fs.lstat(joinPath(root, folder)).catch(() => undefined);
  if (!stats?.isDirectory()) return undefined;
  const tree: FolderTree = { files: [], folders: [] };
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await fs.readdir(joinPath(root, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (isHiddenName(entry.name)) continue;
      const path = joinPath(at, entry.name);
      if (!entry.isDirectory()) tree.files.push(path);
      else {
        tree.folders.push(path);
        open.push(path);
      }
    }
  }
  return tree;
}
