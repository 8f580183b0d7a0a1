import type { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipSource {
  path: string;
  size: number;
  modifiedMs: number;
  stream(): Readable;
}

interface Written {
  name: Buffer;
  time: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** Above these limits a zip needs Zip64 fields; some programs cannot read them, so smaller archives have none. */
const MOST_32 = 0xffff_ffff;
const MOST_16 = 0xffff;
const NEAR_32 = 0xff00_0000;
/** Sizes follow the data; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
const REGULAR_FILE = 0o100644;
const MADE_ON_UNIX = 0x0300;

function bytesOf(...fields: readonly (readonly [1 | 2 | 4 | 8, number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, width);
    at += width;
  }
  return buffer;
}

/** MS-DOS time in UTC, from 1980 in steps of two seconds. */
function timeOf(milliseconds: number): Buffer {
  const at = new Date(Math.max(milliseconds, Date.UTC(1980, 0, 1)));
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const year = Math.min(at.getUTCFullYear() - 1980, 127);
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return bytesOf([2, time], [2, date]);
}

const isLarge = ({ size }: { size: number }): boolean => size >= NEAR_32;

function localHeader(name: Buffer, time: Buffer, isWide: boolean): Buffer {
  const extra = isWide ? bytesOf([2, 1], [2, 16], [8, 0], [8, 0]) : Buffer.alloc(0);
  const size = isWide ? MOST_32 : 0;
  return Buffer.concat([
    bytesOf([4, 0x04034b50], [2, isWide ? 45 : 20], [2, FLAGS], [2, DEFLATED]),
    time,
    bytesOf([4, 0], [4, size], [4, size], [2, name.length], [2, extra.length]),
    name,
    extra,
  ]);
}

function directoryEntry({ name, time, crc, packed, size, offset }: Written): Buffer {
  const wide = [size, packed, offset].filter((value) => value >= MOST_32);
  const extra =
    wide.length === 0
      ? Buffer.alloc(0)
      : bytesOf([2, 1], [2, wide.length * 8], ...wide.map((value) => [8, value] as const));
  const version = wide.length === 0 ? 20 : 45;
  return Buffer.concat([
    bytesOf([4, 0x02014b50], [2, MADE_ON_UNIX | version], [2, version], [2, FLAGS], [2, DEFLATED]),
    time,
    bytesOf([4, crc], [4, Math.min(packed, MOST_32)], [4, Math.min(size, MOST_32)]),
    bytesOf([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0]),
    bytesOf([4, REGULAR_FILE * 0x10000], [4, Math.min(offset, MOST_32)]),
    name,
    extra,
  ]);
}

function end(count: number, size: number, offset: number): Buffer {
  const needsWide = count >= MOST_16 || size >= MOST_32 || offset >= MOST_32;
  const wide = needsWide
    ? [
        bytesOf([4, 0x06064b50], [8, 44], [2, MADE_ON_UNIX | 45], [2, 45], [4, 0], [4, 0]),
        bytesOf([8, count], [8, count], [8, size], [8, offset]),
        bytesOf([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
      ]
    : [];
  const shown = Math.min(count, MOST_16);
  return Buffer.concat([
    ...wide,
    bytesOf([4, 0x06054b50], [2, 0], [2, 0], [2, shown], [2, shown]),
    bytesOf([4, Math.min(size, MOST_32)], [4, Math.min(offset, MOST_32)], [2, 0]),
  ]);
}

/** Yields the bytes of a zip archive, file by file on demand. An error of a source ends it. */
export async function* zipBytes(sources: AsyncIterable<ZipSource>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const source of sources) {
    const name = Buffer.from(source.path);
    const time = timeOf(source.modifiedMs);
    const isWide = isLarge(source);
    const header = localHeader(name, time, isWide);
    let [crc, packed, size] = [0, 0, 0];
    // The input is opened before the first yield: a consumer may stop there, and the file would stay open.
    const input = source.stream();
    const deflate = createDeflateRaw({ level: 6 });
    input.on('error', (error) => deflate.destroy(error));
    try {
      yield header;
      input.on('data', (chunk: Buffer) => {
        crc = crc32(chunk, crc);
        size += chunk.length;
      });
      for await (const chunk of input.pipe(deflate)) {
        packed += chunk.length;
        yield chunk;
      }
    } finally {
      input.destroy();
      deflate.destroy();
    }
    const width = isWide ? 8 : 4;
    const descriptor = bytesOf([4, 0x08074b50], [4, crc], [width, packed], [width, size]);
    yield descriptor;
    written.push({ name, time, crc, packed, size, offset });
    offset += header.length + packed + descriptor.length;
  }
  let directorySize = 0;
  for (const entry of written) {
    const bytes = directoryEntry(entry);
    directorySize += bytes.length;
    yield bytes;
  }
  yield end(written.length, directorySize, offset);
}
