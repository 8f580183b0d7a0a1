/** A part of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** So much of a header is looked at: a range that means something is short. */
const LONGEST = 200;

/**
 * What a `Range` header asks of a file of `size` bytes: one part; `whole` where it names several parts or says nothing
 * that is understood (RFC 9110 lets both be ignored); `none` for a part that the file does not have.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.slice(0, LONGEST).trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return lastBytes(Number(to), size);
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < start) return 'whole';
  return start < size ? { start, end } : 'none';
}

const lastBytes = (count: number, size: number): ByteRange | 'none' =>
  count === 0 || size === 0 ? 'none' : { start: Math.max(0, size - count), end: size - 1 };
