import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/** Both headers of a member say these, and each may lie. */
export interface ZipFacts {
  name: string | Uint8Array;
  flags: number;
  method: number;
  sum: number;
  packed: number;
  size: number;
  extra: Uint8Array;
}

export interface ZipMember {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** Unix kind and mode; a regular file by default. */
  mode?: number;
  /** Overrides the stated size. */
  claimedSize?: number;
  /** Stored without compression. */
  isStored?: boolean;
  /** Instead of the packed content. */
  data?: Uint8Array;
  /** Follows the data, such as a descriptor. */
  after?: Uint8Array;
  /** Both headers, or one of them, say this instead of the truth. */
  both?: Partial<ZipFacts>;
  local?: Partial<ZipFacts>;
  central?: Partial<ZipFacts & { attributes: number; offset: number; disk: number }>;
}

/** The end record's numbers; as they are by default. */
export interface ZipEnd {
  disk: number;
  countHere: number;
  count: number;
  size: number;
  start: number;
}

export interface ZipOptions {
  /** Bytes between the last member and the directory. */
  beforeDirectory?: Uint8Array;
  end?: Partial<ZipEnd>;
  /** With the end records of Zip64 and what they say instead of the truth; `at` is where the record is said to be. */
  wide?: Partial<ZipEnd & { at: number }>;
  comment?: string;
}

const REGULAR_FILE = 0o100644;
const UTF8_NAMES = 0x0800;
const VERSION = 20;

/** Numbers in little endian by their widths. */
export function littleEndian(...fields: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}

/** Sizes that follow the data, in 32 bits or as Zip64 has them, with or without their signature. */
export function descriptorOf(
  content: string | Uint8Array,
  { isWide = false, isSigned = true, packed = deflateRawSync(Buffer.from(content)).length } = {},
): Buffer {
  const width = isWide ? 8 : 4;
  const raw = Buffer.from(content);
  const sizes = littleEndian([4, crc32(raw)], [width, packed], [width, raw.length]);
  return isSigned ? Buffer.concat([littleEndian([4, 0x08074b50]), sizes]) : sizes;
}

/** Made by hand, so that it can hold what no honest program would write. */
export function zipOf(members: readonly ZipMember[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const data = dataOf(member);
    const told = { ...truthOf(member, data), ...member.both };
    const local = Buffer.concat([
      littleEndian([4, 0x04034b50]),
      headerOf({ ...told, ...member.local }),
      data,
      member.after ?? Buffer.alloc(0),
    ]);
    parts.push(local);
    directory.push(directoryEntry(member, { ...told, ...member.central }, offset));
    offset += local.length;
  }
  const before = Buffer.from(options.beforeDirectory ?? []);
  const listing = Buffer.concat(directory);
  const start = offset + before.length;
  const truth = { disk: 0, countHere: members.length, count: members.length, size: listing.length, start };
  return Buffer.concat([...parts, before, listing, endOf(truth, options)]);
}

const dataOf = ({ content = '', data, isStored = false }: ZipMember): Uint8Array =>
  data ?? (isStored ? Buffer.from(content) : deflateRawSync(Buffer.from(content)));

function truthOf(
  { name, content = '', claimedSize, isStored = false }: ZipMember,
  data: Uint8Array,
): ZipFacts {
  const raw = Buffer.from(content);
  return {
    name,
    flags: UTF8_NAMES,
    method: isStored ? 0 : 8,
    sum: crc32(raw),
    packed: data.length,
    size: claimedSize ?? raw.length,
    extra: Buffer.alloc(0),
  };
}

function headerOf(facts: ZipFacts, beforeName: Buffer = Buffer.alloc(0)): Buffer {
  const { flags, method, sum, packed, size, extra } = facts;
  const name = Buffer.from(facts.name);
  return Buffer.concat([
    littleEndian([2, VERSION], [2, flags], [2, method], [4, 0]),
    littleEndian([4, sum], [4, packed], [4, size], [2, name.length], [2, extra.length]),
    beforeName,
    name,
    extra,
  ]);
}

function directoryEntry(
  { mode = REGULAR_FILE }: ZipMember,
  facts: ZipFacts & { attributes?: number; offset?: number; disk?: number },
  trueOffset: number,
): Buffer {
  const { attributes = mode * 0x10000, offset = trueOffset, disk = 0 } = facts;
  const more = littleEndian([2, 0], [2, disk], [2, 0], [4, attributes], [4, offset]);
  return Buffer.concat([littleEndian([4, 0x02014b50], [2, 0x0300 | VERSION]), headerOf(facts, more)]);
}

function endOf(truth: ZipEnd, { end, wide, comment = '' }: ZipOptions): Buffer {
  const { disk, countHere, count, size, start } = { ...truth, ...end };
  return Buffer.concat([
    wide === undefined ? Buffer.alloc(0) : wideEnd({ at: truth.start + truth.size, ...truth, ...wide }),
    littleEndian([4, 0x06054b50], [2, disk], [2, disk], [2, countHere], [2, count]),
    littleEndian([4, size], [4, start], [2, Buffer.byteLength(comment)]),
    Buffer.from(comment),
  ]);
}

const wideEnd = ({ disk, countHere, count, size, start, at }: ZipEnd & { at: number }): Buffer =>
  Buffer.concat([
    littleEndian([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, disk], [4, disk]),
    littleEndian([8, countHere], [8, count], [8, size], [8, start]),
    littleEndian([4, 0x07064b50], [4, 0], [8, at], [4, 1]),
  ]);

/** Texts by their paths, a letter for each byte. */
export async function unzipped(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
  const found: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString('latin1');
  return found;
}
