import type { FolderEntry } from '../../src/platform/files/files.ts';
import { folderOf } from '../../src/platform/files/paths.ts';

export interface MemoryFile {
  bytes: Uint8Array;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

/** `''` is the root, which always exists. Callers keep the tree well-formed. */
export interface MemoryTree {
  kindOf(path: string): 'file' | 'folder' | undefined;
  get(path: string): MemoryFile | undefined;
  put(path: string, bytes: Uint8Array): void;
  putFolder(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  entries(folder: string): FolderEntry[];
}

export function createMemoryTree(now: () => number): MemoryTree {
  const nodes = new Map<string, MemoryFile | 'folder'>([['', 'folder']]);
  let lastIno = 0;

  const kindOf: MemoryTree['kindOf'] = (path) => {
    const node = nodes.get(path);
    return node === undefined || node === 'folder' ? node : 'file';
  };
  const withAllBelow = (path: string) =>
    [...nodes].filter(([other]) => other === path || other.startsWith(`${path}/`));

  return {
    kindOf,
    get: (path) => {
      const node = nodes.get(path);
      return node === 'folder' ? undefined : node;
    },
    put: (path, bytes) => {
      const time = now();
      lastIno += 1;
      nodes.set(path, { bytes, mtimeMs: time, ctimeMs: time, ino: lastIno });
    },
    putFolder: (path) => {
      nodes.set(path, 'folder');
    },
    rename: (from, to) => {
      for (const [path, node] of withAllBelow(from)) {
        nodes.delete(path);
        nodes.set(to + path.slice(from.length), node);
      }
    },
    remove: (path) => {
      for (const [other] of withAllBelow(path)) nodes.delete(other);
    },
    entries: (folder) =>
      [...nodes.keys()]
        .filter((path) => path !== '' && folderOf(path) === folder)
        .map((path) => ({
          name: path.slice(path.lastIndexOf('/') + 1),
          kind: kindOf(path) === 'file' ? 'file' : 'folder',
        })),
  };
}
