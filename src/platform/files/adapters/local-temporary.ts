import { isHiddenName, isTemporaryName, joinPath } from '../paths.ts';
import type { Syscalls } from '../syscalls.ts';
import type { LocalRoot } from './local-root.ts';

/** A younger entry may belong to a running write, in this process or another. */
const abandonedAfterMs = 3_600_000;
/** The service's own folder: nothing in it is content, but what is written there may be left behind as well. */
const OWN_FOLDER = '.canonry';

/** Resolves to their number. Folders that cannot be listed are left out. */
export async function cleanTemporaryEntries(root: LocalRoot, syscalls: Syscalls): Promise<number> {
  const base = root.folder('');
  const folders = [base];
  let removed = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await syscalls.readdir(folder).catch(() => []);
    for (const entry of entries) {
      const absolute = joinPath(folder, entry.name);
      if (isTemporaryName(entry.name)) removed += await removeAbandoned(syscalls, absolute);
      else if (entry.isDirectory() && (entry.name === OWN_FOLDER || !isHiddenName(entry.name)))
        folders.push(absolute);
    }
  }
  return removed;
}

async function removeAbandoned(syscalls: Syscalls, absolute: string): Promise<0 | 1> {
  try {
    const stats = syscalls.lstatSync(absolute);
    if (stats === undefined || Date.now() - stats.mtimeMs < abandonedAfterMs) return 0;
    if (stats.isDirectory()) await syscalls.removeTree(absolute);
    else syscalls.unlinkSync(absolute);
    return 1;
  } catch {
    return 0;
  }
}
