import { createHash } from 'node:crypto';
import type { BlobStat } from '../../blobs/blobs.ts';
import type { FileStat } from '../files.ts';

/** Objects have no time of change but the one that everybody may set: what changed is told by the tag alone. */
const NO_CHANGE_TIME = 1;
/** Digits of a number that doubles hold exactly. */
const DIGITS = 12;

const numberOf = (etag: string): number =>
  Number.parseInt(createHash('sha256').update(etag).digest('hex').slice(0, DIGITS), 16);

/** An object as a file. Its tag stands in the place of the inode, and times are of whole seconds: some answers have no more. */
export const blobFileStat = (path: string, { size, modifiedAt, etag }: Omit<BlobStat, 'key'>): FileStat => ({
  path,
  size,
  mtimeMs: Math.floor(modifiedAt / 1000) * 1000,
  ctimeMs: NO_CHANGE_TIME,
  ino: numberOf(etag),
});
