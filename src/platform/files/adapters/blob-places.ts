import type { BlobStore } from '../../blobs/blobs.ts';
import { FilesError } from '../files.ts';
import { folderOf } from '../paths.ts';
import { hasBelow } from './blob-listing.ts';

const MOST_REMEMBERED = 20_000;

/**
 * Keeps names apart as folders do, where a store of objects would take `a` beside `a/b`. What was seen is remembered, so
 * that only the first write to a place asks.
 */
export function createBlobPlaces(blobs: BlobStore) {
  const known = new Map<string, 'file' | 'folder'>();

  function note(path: string, kind: 'file' | 'folder'): void {
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(path, kind);
  }

  function foldersOf(path: string): string[] {
    const folders: string[] = [];
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder);
    return folders;
  }

  async function requireFolders(path: string): Promise<void> {
    const folders = foldersOf(path);
    const firstKnown = folders.findIndex((folder) => known.get(folder) === 'folder');
    const unknown = firstKnown < 0 ? folders : folders.slice(0, firstKnown);
    const stats = await Promise.all(unknown.map((folder) => blobs.stat(folder)));
    const file = unknown[stats.findIndex((stat) => stat !== null)];
    if (file !== undefined) throw new FilesError('not_a_folder', path, `"${file}" is a file, not a folder`);
  }

  return {
    /** A file was seen or written. */
    noteFile(path: string): void {
      note(path, 'file');
      for (const folder of foldersOf(path)) note(folder, 'folder');
    },
    /** Whatever is remembered of these may be otherwise now. */
    forget(path: string): void {
      for (const each of known.keys()) if (each === path || each.startsWith(`${path}/`)) known.delete(each);
      for (const folder of foldersOf(path)) known.delete(folder);
    },
    /** Throws where a file of this name cannot be, as in a folder: below a file, or in the place of a folder. */
    async requireFile(path: string): Promise<void> {
      if (known.get(path) === 'file') return;
      const [isFolder] = await Promise.all([hasBelow(blobs, `${path}/`), requireFolders(path)]);
      if (isFolder) throw new FilesError('not_a_file', path, `"${path}" is a folder`);
    },
  };
}

export type BlobPlaces = ReturnType<typeof createBlobPlaces>;
