import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { treeOf } from '../installs.ts';

/** A project's folder, seen from outside the service. Texts are latin1. */
export function createDisk(root: string) {
  const at = (path: string) => join(root, path);
  const read = (path: string): string | undefined => whereNothingMoves(() => readIfThere(at(path)));

  function write(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    const draft = join(dirname(at(path)), '.draft');
    writeFileSync(draft, text, 'latin1');
    renameSync(draft, at(path));
  }

  return {
    read,
    write,
    remove: (path: string) => rmSync(at(path), { recursive: true, force: true }),
    move(from: string, to: string): void {
      if (!existsSync(at(from)) || existsSync(at(to))) return;
      mkdirSync(dirname(at(to)), { recursive: true });
      renameSync(at(from), at(to));
    },
    /** The folder is missing while `work` runs. */
    async without(work: () => Promise<unknown>): Promise<void> {
      renameSync(root, `${root}.away`);
      try {
        await work();
      } finally {
        if (existsSync(root)) rmSync(root, { recursive: true });
        renameSync(`${root}.away`, root);
      }
    },
    copyTo: (folder: string) => cpSync(root, folder, { recursive: true }),
    tree: () => whereNothingMoves(() => treeOf(root)),
    recycled(): string[] {
      const bin = at('_RecycleBin');
      if (!existsSync(bin)) return [];
      return whereNothingMoves(() =>
        readdirSync(bin, { recursive: true, withFileTypes: true }).flatMap((entry) =>
          entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
        ),
      );
    },
  };
}

const MOST_TRIES = 10;

/** The service may move files at any moment: then the look is repeated. */
function whereNothingMoves<Seen>(look: () => Seen, tries = 1): Seen {
  try {
    return look();
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isGone || tries === MOST_TRIES) throw error;
    return whereNothingMoves(look, tries + 1);
  }
}

const readIfThere = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'latin1') : undefined;

export type Disk = ReturnType<typeof createDisk>;
