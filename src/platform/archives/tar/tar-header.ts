import { damaged } from '../archive-error.ts';

export const BLOCK = 512;

export interface TarHeader {
  /** The type flag as a letter; '0' for a file. */
  kind: string;
  name: Buffer;
  size: number;
}

const SUM = { start: 148, end: 156 };
const POSIX = 'ustar\0';
const GNU = 'ustar  \0';
const NONE = '\0'.repeat(8);

/** Reads the block before an entry in the formats of POSIX, GNU and Unix V7. Throws `ArchiveError`. */
export function readHeader(block: Buffer): TarHeader {
  if (sumOf(block) !== readOctal(block.subarray(SUM.start, SUM.end)))
    throw damaged('has a header whose checksum is wrong');
  const magic = block.toString('latin1', 257, 265);
  if (!magic.startsWith(POSIX) && magic !== GNU && magic !== NONE)
    throw damaged('has a header of an unknown kind of tar');
  const prefix = magic.startsWith(POSIX) ? text(block, 345, 500) : Buffer.alloc(0);
  const base = text(block, 0, 100);
  const name = prefix.length === 0 ? base : Buffer.concat([prefix, Buffer.from('/'), base]);
  const size = readNumber(block.subarray(124, 136));
  if (size === null) throw damaged('whose size cannot be read', { entry: name });
  return { kind: block.toString('latin1', 156, 157).replace('\0', '0'), name, size };
}

/** The checksum counts itself as eight spaces. */
function sumOf(block: Buffer): number {
  let sum = (SUM.end - SUM.start) * 0x20;
  for (const [at, byte] of block.entries()) if (at < SUM.start || at >= SUM.end) sum += byte;
  return sum;
}

function text(block: Buffer, start: number, end: number): Buffer {
  const field = block.subarray(start, end);
  const length = field.indexOf(0);
  return length === -1 ? field : field.subarray(0, length);
}

/** Octal digits, or a large number in base 256 as GNU tar writes it. */
function readNumber(field: Buffer): number | null {
  if (field[0] !== 0x80) return readOctal(field);
  const number = BigInt(`0x${field.toString('hex', 1)}`);
  return number <= Number.MAX_SAFE_INTEGER ? Number(number) : null;
}

function readOctal(field: Buffer): number | null {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(field.toString('latin1'))?.[1];
  return digits === undefined ? null : Number.parseInt(`0${digits}`, 8);
}
