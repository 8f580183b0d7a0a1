import type { FileStat } from './files.ts';

/** A strong entity tag, with its quotes, of a file's current state: every write changes its time or inode. */
export const statTag = ({ size, ctimeMs, ino }: FileStat): string =>
  `"${[size, ctimeMs * 1000, ino].map((number) => Math.round(number).toString(36)).join('-')}"`;
