/** Both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header for a file of `size` bytes: one range, cut at the end of the file; `whole` if it names several ranges or
 * cannot be understood (RFC 9110 lets both be ignored); `none` if the range lies outside the file.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return lastBytes(Number(to), size);
  const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < start) return 'whole';
  return start < size ? { start, end } : 'none';
}

const lastBytes = (count: number, size: number): ByteRange | 'none' =>
  count === 0 || size === 0 ? 'none' : { start: Math.max(0, size - count), end: size - 1 };
