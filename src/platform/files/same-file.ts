import type { FileStat } from './files.ts';

type Compared = Omit<FileStat, 'path'>;

/** Every write changes a file's time or inode. */
export const isSameFile = (one: Compared, other: Compared): boolean =>
  one.size === other.size &&
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs &&
  one.ino === other.ino;
