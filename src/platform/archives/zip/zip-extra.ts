import { crc32 } from 'node:zlib';
import { damaged } from '../archive-error.ts';

const ZIP64 = 0x0001;
const UNICODE_PATH = 0x7075;
const MOST_32 = 0xffff_ffff;

/** The fields that matter here, by their numbers. Fewer than four bytes at the end are padding. */
export function readExtra(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const [id, start] = [bytes.readUInt16LE(at), at + 4];
    const end = start + bytes.readUInt16LE(at + 2);
    if (end > bytes.length || fields.has(id)) throw damaged('has an entry whose extra fields cannot be read');
    if (id === ZIP64 || id === UNICODE_PATH) fields.set(id, bytes.subarray(start, end));
    at = end;
  }
  return fields;
}

/** Replaces each number that has no room in 32 bits by the one of the Zip64 field, which holds nothing else. */
export function widened(numbers: readonly number[], extra: Map<number, Buffer>): number[] {
  const field = extra.get(ZIP64);
  const wide = numbers.filter((number) => number === MOST_32).length;
  if (field === undefined && wide === 0) return [...numbers];
  if (field === undefined || wide === 0 || field.length < wide * 8)
    throw damaged('has an entry whose Zip64 sizes do not fit the others');
  let at = 0;
  return numbers.map((number) => {
    if (number !== MOST_32) return number;
    at += 8;
    return Number(field.readBigUInt64LE(at - 8));
  });
}

/** The name in UTF-8 that some programs write beside one in another encoding, unless it belongs to another name. */
export function unicodeName(raw: Buffer, extra: Map<number, Buffer>): Buffer {
  const field = extra.get(UNICODE_PATH);
  const isOfName =
    field !== undefined && field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === crc32(raw);
  return isOfName ? field.subarray(5) : raw;
}
