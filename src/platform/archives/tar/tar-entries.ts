import { ArchiveError, damaged } from '../archive-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import { decimal, readPaxRecords } from './pax-records.ts';
import { BLOCK, readHeader, type TarHeader } from './tar-header.ts';

/** Names and what systems note beside them need far less. */
const MOST_EXTENDED = 64 * 1024;
const ZEROS = Buffer.alloc(BLOCK);
/** No honest program says these of all entries at once. */
const NOT_FOR_ALL = /^(?:path|linkpath|size)$/;
/** The bytes of a sparse file are not simply its content. */
const SPARSE = /^(?:GNU\.sparse\.|SCHILY\.realsize$)/;

interface Override {
  name?: Buffer;
  size?: number;
}

/** The zeros that fill the last block of so many bytes. */
export const paddingOf = (size: number): number => -size & (BLOCK - 1);

/** The next entry with what extended headers say of it; null at the end mark. Throws `ArchiveError`. */
export async function nextEntry(reader: ByteReader): Promise<TarHeader | null> {
  const override: Override = {};
  for (;;) {
    const block = await reader.take(BLOCK);
    if (block.equals(ZEROS)) {
      if (Object.keys(override).length > 0) throw damaged('has an extended header without an entry');
      return endOf(reader);
    }
    const header = readHeader(block);
    if (!'gxLK'.includes(header.kind)) return { ...header, ...override };
    note(override, header.kind, await readExtended(reader, header));
  }
}

/** Two blocks of zeros; programs add more to fill a tape's record. */
async function endOf(reader: ByteReader): Promise<null> {
  if (!(await reader.take(BLOCK)).equals(ZEROS)) throw damaged('has entries after half of an end mark');
  return null;
}

/** Throws `ArchiveError` unless nothing but zeros is left. */
export async function requireEnd(reader: ByteReader): Promise<void> {
  for await (const piece of reader.rest())
    for (let at = 0; at < piece.length; at += BLOCK) {
      const part = piece.subarray(at, at + BLOCK);
      if (!part.equals(ZEROS.subarray(0, part.length))) throw damaged('goes on after its end mark');
    }
}

async function readExtended(reader: ByteReader, { kind, name, size }: TarHeader): Promise<Buffer> {
  if (size > MOST_EXTENDED)
    throw new ArchiveError('bad_entry', `with ${size} bytes of notes about it: pack it without them`, {
      entry: name,
    });
  const bytes = await reader.take(size);
  await reader.take(paddingOf(size));
  return kind === 'L' && bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
}

function note(override: Override, kind: string, bytes: Buffer): void {
  if (kind === 'L') noteOnce(override, { name: bytes });
  if (kind !== 'x' && kind !== 'g') return;
  const records = readPaxRecords(bytes);
  for (const key of records.keys()) refuseKey(key, kind);
  const [name, size] = [records.get('path'), records.get('size')];
  noteOnce(override, { ...(name && { name }), ...(size && { size: sizeOf(size) }) });
}

function refuseKey(key: string, kind: string): void {
  if (SPARSE.test(key))
    throw new ArchiveError('bad_entry', 'has a sparse file: pack it without the option for these');
  if (kind === 'g' && NOT_FOR_ALL.test(key))
    throw new ArchiveError('bad_entry', `gives all its entries one ${key}: pack it again`);
}

function sizeOf(value: Buffer): number {
  const size = decimal(value.toString('latin1'));
  if (size === null) throw damaged('has an extended header with a size that is no number');
  return size;
}

function noteOnce(override: Override, more: Override): void {
  if (Object.keys(more).some((key) => key in override))
    throw damaged('has two extended headers that say what one entry is');
  Object.assign(override, more);
}
