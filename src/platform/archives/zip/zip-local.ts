import { damaged } from '../archive-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import { readName } from '../entry-name.ts';
import { spelled, type ZipEntry } from './zip-directory.ts';
import { readExtra, unicodeName, widened } from './zip-extra.ts';

const SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HEADER_SIZE = 30;
const SIZES_FOLLOW = 0x0008;
/** How hard the packer tried; it may differ. */
const EFFORT = 0x0006;

/** The bytes before an entry's data, which must say what the directory says. Returns how many there are. */
export async function readLocalHeader(reader: ByteReader, entry: ZipEntry): Promise<number> {
  const header = await reader.take(HEADER_SIZE);
  if (header.readUInt32LE(0) !== SIGNATURE) throw differs(entry);
  const name = await reader.take(header.readUInt16LE(26));
  const extra = await reader.take(header.readUInt16LE(28));
  const fields = readExtra(extra);
  const [size, packed] = widened([header.readUInt32LE(22), header.readUInt32LE(18)], fields);
  const sum = header.readUInt32LE(14);
  const isRight = (told: number | undefined, right: number) =>
    told === right || (told === 0 && followsData(entry));
  const agrees =
    name.toString('latin1') === entry.rawName &&
    isSameIfUnicode(name, fields, entry) &&
    (header.readUInt16LE(6) & ~EFFORT) === (entry.flags & ~EFFORT) &&
    header.readUInt16LE(8) === entry.method &&
    isRight(sum, entry.sum) &&
    isRight(packed, entry.packed) &&
    isRight(size, entry.size);
  if (!agrees) throw differs(entry);
  return HEADER_SIZE + name.length + extra.length;
}

function isSameIfUnicode(name: Buffer, fields: Map<number, Buffer>, entry: ZipEntry): boolean {
  const unicode = unicodeName(name, fields);
  return unicode === name || readName(unicode).path === entry.name.path;
}

/** The bytes after an entry's data, up to the next entry: nothing, or its sizes in one of four forms. */
export async function readDescriptor(reader: ByteReader, length: number, entry: ZipEntry): Promise<void> {
  if (length === 0 && !followsData(entry)) return;
  const bytes = followsData(entry) && [12, 16, 20, 24].includes(length) ? await reader.take(length) : null;
  if (bytes === null) throw damaged('after which are bytes of no entry', { entry: spelled(entry) });
  const isWide = length >= 20;
  const isSigned = length % 8 === 0;
  const at = isSigned ? 4 : 0;
  const number = (index: number) =>
    isWide ? Number(bytes.readBigUInt64LE(at + 4 + index * 8)) : bytes.readUInt32LE(at + 4 + index * 4);
  const agrees =
    (!isSigned || bytes.readUInt32LE(0) === DESCRIPTOR_SIGNATURE) &&
    bytes.readUInt32LE(at) === entry.sum &&
    number(0) === entry.packed &&
    number(1) === entry.size;
  if (!agrees) throw differs(entry);
}

const followsData = ({ flags }: ZipEntry): boolean => (flags & SIZES_FOLLOW) !== 0;

const differs = (entry: ZipEntry) =>
  damaged('whose own header does not say what the directory says', { entry: spelled(entry) });
