import type { FileHandle } from 'node:fs/promises';
import { damaged } from '../archive-error.ts';

/** Where the directory is, in bytes from the start, and how many entries it has. */
export interface ZipDirectory {
  start: number;
  end: number;
  count: number;
}

const END = Buffer.from('PK\x05\x06', 'latin1');
const WIDE_END = 0x06064b50;
const WIDE_LOCATOR = 0x07064b50;
const END_SIZE = 22;
const WIDE_END_SIZE = 56;
const LOCATOR_SIZE = 20;
const MOST_16 = 0xffff;
const MOST_32 = 0xffff_ffff;

/** The fields of an end record that say more than that there is one. */
interface EndFields {
  disk: number;
  directoryDisk: number;
  countHere: number;
  count: number;
  size: number;
  start: number;
}

/** Reads the end of a zip, which must say exactly what is there. Throws `ArchiveError`. */
export async function readZipEnd(file: FileHandle, size: number): Promise<ZipDirectory> {
  const tailStart = Math.max(0, size - END_SIZE - MOST_16 - LOCATOR_SIZE - WIDE_END_SIZE);
  const tail = Buffer.alloc(size - tailStart);
  await file.read(tail, 0, tail.length, tailStart);
  const at = endIn(tail);
  const narrow = narrowFields(tail.subarray(at));
  const wideAt = at - LOCATOR_SIZE - WIDE_END_SIZE;
  const isWide = at >= LOCATOR_SIZE && tail.readUInt32LE(at - LOCATOR_SIZE) === WIDE_LOCATOR;
  const fields = isWide ? wideFields(tail, wideAt, tailStart + wideAt, narrow) : narrow;
  if (fields.disk !== 0 || fields.directoryDisk !== 0 || fields.countHere !== fields.count)
    throw damaged('is one part of several');
  const end = tailStart + (isWide ? wideAt : at);
  if (fields.start + fields.size !== end) throw damaged('does not say rightly where its directory is');
  return { start: fields.start, end, count: fields.count };
}

/** The last record whose comment ends with the file. */
function endIn(tail: Buffer): number {
  for (let at = tail.lastIndexOf(END); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(END, at - 1)) {
    const commentStart = at + END_SIZE;
    if (commentStart <= tail.length && commentStart + tail.readUInt16LE(at + 20) === tail.length) return at;
  }
  throw damaged('is cut off, or goes on after its end');
}

const narrowFields = (record: Buffer): EndFields => ({
  disk: record.readUInt16LE(4),
  directoryDisk: record.readUInt16LE(6),
  countHere: record.readUInt16LE(8),
  count: record.readUInt16LE(10),
  size: record.readUInt32LE(12),
  start: record.readUInt32LE(16),
});

/** Of Zip64. What the short record says too must be the same. */
function wideFields(tail: Buffer, at: number, position: number, narrow: EndFields): EndFields {
  const locator = at + WIDE_END_SIZE;
  const isThere =
    at >= 0 &&
    tail.readUInt32LE(at) === WIDE_END &&
    tail.readBigUInt64LE(at + 4) === BigInt(WIDE_END_SIZE - 12) &&
    tail.readBigUInt64LE(locator + 8) === BigInt(position);
  if (!isThere) throw damaged('has no Zip64 record where it should be');
  const wide: EndFields = {
    disk: tail.readUInt32LE(at + 16),
    directoryDisk: tail.readUInt32LE(at + 20),
    countHere: Number(tail.readBigUInt64LE(at + 24)),
    count: Number(tail.readBigUInt64LE(at + 32)),
    size: Number(tail.readBigUInt64LE(at + 40)),
    start: Number(tail.readBigUInt64LE(at + 48)),
  };
  const agrees = (short: number, long: number, most: number) => short === most || short === long;
  const isSame =
    agrees(narrow.disk, wide.disk, MOST_16) &&
    agrees(narrow.directoryDisk, wide.directoryDisk, MOST_16) &&
    agrees(narrow.countHere, wide.countHere, MOST_16) &&
    agrees(narrow.count, wide.count, MOST_16) &&
    agrees(narrow.size, wide.size, MOST_32) &&
    agrees(narrow.start, wide.start, MOST_32);
  if (!isSame) throw damaged('says two things in its two end records');
  return wide;
}
