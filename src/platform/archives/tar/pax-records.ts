import { damaged } from '../archive-error.ts';

const SPACE = 0x20;
const LINE_END = 0x0a;
const EQUALS = 0x3d;

const unreadable = () => damaged('has an extended header that cannot be read');

/** Reads records `<length> <key>=<value>\n`, whose length counts all of it. Throws `ArchiveError`. */
export function readPaxRecords(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(SPACE, at);
    const length = decimal(bytes.toString('latin1', at, space));
    const end = at + (length ?? Number.POSITIVE_INFINITY);
    if (space === -1 || end > bytes.length || bytes[end - 1] !== LINE_END) throw unreadable();
    const equals = bytes.subarray(0, end).indexOf(EQUALS, space);
    const key = bytes.toString('utf8', space + 1, equals);
    if (equals === -1 || records.has(key)) throw unreadable();
    records.set(key, bytes.subarray(equals + 1, end - 1));
    at = end;
  }
  return records;
}

/** Null for anything but the digits of a number that is exact. */
export const decimal = (digits: string): number | null => (/^\d{1,15}$/.test(digits) ? Number(digits) : null);
