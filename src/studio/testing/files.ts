import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const BIN = '_RecycleBin/';

/** Files and folders below a folder by path; files with their bytes as Latin letters, so that all of them count. */
export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), entry.isFile() ? readFileSync(path, 'latin1') : 'folder'];
    }),
  );
}

/** The files of a world without those in its recycle bin. */
export const filesOfWorld = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.entries(filesIn(folder)).filter(([path]) => !`${path}/`.startsWith(BIN)));
