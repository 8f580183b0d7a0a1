import type { FileStat } from './files.ts';

/** Strong, with its quotes: every write changes the file's time or inode. */
export const statTag = ({ size, ctimeMs, ino }: FileStat): string =>
  `"${[size, ctimeMs * 1000, ino].map((number) => Math.round(number).toString(36)).join('-')}"`;
