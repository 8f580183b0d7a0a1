import { ArchiveError, shown } from './archive-error.ts';
import type { EntryName } from './entry-name.ts';

interface Node extends EntryName {
  /** It has an entry, and is not only a folder above one. */
  isNamed: boolean;
}

/** All names so far: refuses those that could not exist side by side on every disk, and too many. */
export interface EntryTree {
  /** Throws `ArchiveError`. */
  add(name: EntryName): void;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The same for names that some disk takes for one: by case, or by how letters with marks are composed. */
const folded = (path: string): string => path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Folders without an entry of their own count too. */
export function createEntryTree(most: number): EntryTree {
  const nodes = new Map<string, Node>();

  function place(name: EntryName, key: string): Node {
    const known = nodes.get(key);
    if (known !== undefined) return sameNode(known, name);
    if (nodes.size === most)
      throw new ArchiveError('too_many_entries', `has more than ${most} files and folders: leave some out`);
    const node = { ...name, isNamed: false };
    nodes.set(key, node);
    if (key.includes('/')) place({ path: parentOf(name.path), isFolder: true }, parentOf(key));
    return node;
  }

  return {
    add(name) {
      const node = place(name, folded(name.path));
      if (node.isNamed)
        throw new ArchiveError('duplicate', 'more than once: keep one of them', { entry: name.path });
      node.isNamed = true;
    },
  };
}

function sameNode(known: Node, name: EntryName): Node {
  if (known.path !== name.path) {
    const other = `that some systems take for "${shown(known.path)}", which it has too: rename one of them`;
    throw new ArchiveError('duplicate', other, { entry: name.path });
  }
  if (known.isFolder !== name.isFolder)
    throw new ArchiveError('duplicate', 'both as a file and as a folder: rename one of them', {
      entry: name.path,
    });
  return known;
}
