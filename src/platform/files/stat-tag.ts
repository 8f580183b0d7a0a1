import type { FileStat } from './files.ts';

/** A strong entity tag, with its quotes, of a file as it is now: every write gives a file another time or inode. */
export const statTag = ({ size, ctimeMs, ino }: FileStat): string =>
  `"${[size, ctimeMs * 1000, ino].map((number) => Math.round(number).toString(36)).join('-')}"`;
