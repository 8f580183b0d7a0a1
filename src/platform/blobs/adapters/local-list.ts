import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobPage, BlobStat } from '../blobs.ts';
import { isReservedName } from '../keys.ts';

interface Wanted {
  prefix: string;
  limit: number;
  from?: string | null;
}

/** Changes with every write, which replaces the file. */
export const localTag = ({ size, ctimeMs, ino }: Stats): string =>
  [size, ctimeMs * 1000, ino].map((number) => Math.round(number).toString(36)).join('-');

export const localStat = (key: string, stats: Stats): BlobStat => ({
  key,
  size: stats.size,
  modifiedAt: stats.mtimeMs,
  etag: localTag(stats),
});

/** In the order of their keys; links are left out. */
export async function listFolder(root: string, { prefix, limit, from }: Wanted): Promise<BlobPage> {
  const blobs: BlobStat[] = [];
  for await (const key of keysBelow(root, '', prefix, from ?? '')) {
    if (blobs.length === limit) return { blobs, next: blobs.at(-1)?.key ?? null };
    const stats = await lstat(join(root, key)).catch(() => null);
    if (stats?.isFile()) blobs.push(localStat(key, stats));
  }
  return { blobs, next: null };
}

async function* keysBelow(
  root: string,
  folder: string,
  prefix: string,
  from: string,
): AsyncGenerator<string> {
  for (const path of await pathsIn(root, folder)) {
    if (!path.endsWith('/')) {
      if (path.startsWith(prefix) && path > from) yield path;
      continue;
    }
    const leadsThere = path.startsWith(prefix) || prefix.startsWith(path);
    const isOver = path < from && !from.startsWith(path);
    if (leadsThere && !isOver) yield* keysBelow(root, path, prefix, from);
  }
}

/** Keys of files, and of folders with a final `/`, so that they sort like the keys below them. */
async function pathsIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(absent);
  return entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && !isReservedName(entry.name))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort((one, other) => (one < other ? -1 : 1));
}

/** A folder may vanish while it is being listed; the root must not. */
function absent(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
