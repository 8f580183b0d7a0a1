import { BlobsError, type ByteRange } from './blobs.ts';

/** Throws `bad_range` if it lies outside the object. */
export function boundsOf(size: number, range: ByteRange): { first: number; last: number } {
  const { start, end = size - 1 } = range;
  if (start >= 0 && start < size && end >= start) return { first: start, last: Math.min(end, size - 1) };
  throw outOfRange();
}

export const outOfRange = (options?: ErrorOptions) =>
  new BlobsError('bad_range', 'The range lies outside of the object', options);
