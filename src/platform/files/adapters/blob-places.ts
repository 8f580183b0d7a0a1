import type { BlobStore } from '../../blobs/blobs.ts';
import { FilesError } from '../files.ts';
import { folderOf } from '../paths.ts';
import { hasBelow } from './blob-listing.ts';

const MOST_REMEMBERED = 20_000;

/**
 * A blob store would accept `a` beside `a/b`, a file system does not. Cached, so that only the first write to a path makes
 * a request.
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
    forget(path: string): void {
      for (const each of known.keys()) if (each === path || each.startsWith(`${path}/`)) known.delete(each);
      for (const folder of foldersOf(path)) known.delete(folder);
    },
    /** Throws if a file is above it or a folder is in its place. */
    async requireFile(path: string): Promise<void> {
      if (known.get(path) === 'file') return;
      const [isFolder] = await Promise.all([hasBelow(blobs, `${path}/`), requireFolders(path)]);
      if (isFolder) throw new FilesError('not_a_file', path, `"${path}" is a folder`);
    },
  };
}

export type BlobPlaces = ReturnType<typeof createBlobPlaces>;
