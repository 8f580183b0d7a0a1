import { createHash } from 'node:crypto';
import type { BlobStat } from '../../blobs/blobs.ts';
import type { FileStat } from '../files.ts';

/** Objects have no change time, so a change is noticed by the etag alone. */
const NO_CHANGE_TIME = 1;
/** Hexadecimal digits of an integer that a double holds exactly. */
const DIGITS = 12;

const numberOf = (etag: string): number =>
  Number.parseInt(createHash('sha256').update(etag).digest('hex').slice(0, DIGITS), 16);

/** The etag replaces the inode; times are whole seconds, since some answers are no more precise. */
export const blobFileStat = (path: string, { size, modifiedAt, etag }: Omit<BlobStat, 'key'>): FileStat => ({
  path,
  size,
  mtimeMs: Math.floor(modifiedAt / 1000) * 1000,
  ctimeMs: NO_CHANGE_TIME,
  ino: numberOf(etag),
});
