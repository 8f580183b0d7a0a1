import type { FileStat } from './files.ts';

type Compared = Omit<FileStat, 'path'>;

/** Whether two stats tell of the same bytes: every write gives a file another time or inode. */
export const isSameFile = (one: Compared, other: Compared): boolean =>
  one.size === other.size &&
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.ino === other.ino;
