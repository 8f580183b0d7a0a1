import { ArchiveError, damaged } from '../archive-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import { type EntryName, readName } from '../entry-name.ts';
import { readExtra, unicodeName, widened } from './zip-extra.ts';

export interface ZipEntry {
  name: EntryName;
  /** As in the archive, a letter for each byte. */
  rawName: string;
  flags: number;
  method: number;
  /** CRC-32 of the unpacked bytes. */
  sum: number;
  packed: number;
  size: number;
  /** Of its local header, in bytes from the start. */
  offset: number;
}

const STORED = 0;
export const DEFLATED = 8;

const SIGNATURE = 0x02014b50;
const HEADER_SIZE = 46;
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000;
const PATCH = 0x0020;
const KIND = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
/** Attributes of Windows. */
const IS_FOLDER = 0x10;
const IS_REPARSED = 0x400;

/** Reads the next entry of the directory. Throws `ArchiveError` if it is anything but a plain file or folder. */
export async function readDirectoryEntry(reader: ByteReader): Promise<ZipEntry> {
  const header = await reader.take(HEADER_SIZE);
  if (header.readUInt32LE(0) !== SIGNATURE) throw damaged('has a directory that cannot be read');
  const raw = await reader.take(header.readUInt16LE(28));
  const extra = readExtra(await reader.take(header.readUInt16LE(30)));
  await reader.take(header.readUInt16LE(32));
  const [packed = 0, size = 0, offset = 0] = sizesOf(header, extra);
  const entry: ZipEntry = {
    name: readName(unicodeName(raw, extra)),
    rawName: raw.toString('latin1'),
    flags: header.readUInt16LE(8),
    method: header.readUInt16LE(10),
    sum: header.readUInt32LE(16),
    packed,
    size,
    offset,
  };
  if (header.readUInt16LE(34) !== 0) throw damaged('is one part of several');
  refuseOdd(entry, header.readUInt32LE(38));
  return entry;
}

/** The name for messages. */
export const spelled = ({ name, rawName }: ZipEntry): string => (name.path === '' ? rawName : name.path);

/** Zip64 has the size first. */
function sizesOf(header: Buffer, extra: Map<number, Buffer>): number[] {
  const [size = 0, packed = 0, offset = 0] = widened(
    [header.readUInt32LE(24), header.readUInt32LE(20), header.readUInt32LE(42)],
    extra,
  );
  return [packed, size, offset];
}

function refuseOdd(entry: ZipEntry, attributes: number): void {
  const { name, flags, method, size } = entry;
  const options = { entry: spelled(entry) };
  if (flags & ENCRYPTED)
    throw new ArchiveError('encrypted', 'that is encrypted: pack it without a password', options);
  const fault =
    kindFault(name.isFolder, attributes) ??
    (flags & PATCH || (method !== STORED && method !== DEFLATED)
      ? 'that is packed in an unusual way: pack it as a common zip'
      : null) ??
    (name.isFolder && size > 0 ? 'that is a folder with bytes of its own: pack it again' : null);
  if (fault !== null) throw new ArchiveError('bad_entry', fault, options);
}

/** Unix has the kind in the upper half, 0 if it is not given. */
function kindFault(isFolder: boolean, attributes: number): string | null {
  const kind = (attributes >>> 16) & KIND;
  if (kind === LINK || attributes & IS_REPARSED) return 'that is a symbolic link: pack the file itself';
  if (kind !== 0 && kind !== REGULAR && kind !== FOLDER)
    return 'that is a device, a named pipe or a socket: leave it out';
  const isFolderByKind = kind === 0 ? isFolder || (attributes & IS_FOLDER) !== 0 : kind === FOLDER;
  return isFolderByKind === isFolder
    ? null
    : 'that is a file by its name and a folder by its kind, or the reverse: pack it again';
}
