import { open } from 'node:fs/promises';
import type { PictureSource } from '../images.ts';

const COMPRESSION = 259;
const ROWS_PER_STRIP = 278;
const PLANES = 284;
const TILE_LENGTH = 323;

/** Compressions for which libtiff decodes a strip row by row: none, CCITT, LZW, both Deflates, PackBits. */
const IN_ROWS: ReadonlySet<number> = new Set([1, 3, 4, 5, 8, 32773, 32946]);
const TOGETHER = 1;

const SHORT = 3;
const ENTRY_BYTES = 12;

type Read = (at: number, length: number) => Promise<Uint8Array>;

/** The rows of a tile, or of a strip that is decoded as a whole. Infinity if the header does not tell. */
export async function rowsAtOnce(picture: PictureSource): Promise<number> {
  if (picture instanceof Uint8Array) return rowsBy(async (at, length) => picture.subarray(at, at + length));
  const file = await open(picture.path);
  try {
    return await rowsBy(async (at, length) => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

async function rowsBy(read: Read): Promise<number> {
  const tags = await firstDirectory(read);
  if (tags === undefined) return Number.POSITIVE_INFINITY;
  const tile = tags.get(TILE_LENGTH);
  if (tile !== undefined) return tile;
  const isInRows = IN_ROWS.has(tags.get(COMPRESSION) ?? 1) && (tags.get(PLANES) ?? TOGETHER) === TOGETHER;
  return isInRows ? 1 : (tags.get(ROWS_PER_STRIP) ?? Number.POSITIVE_INFINITY);
}

/** Only tags with a single number. Undefined for a BigTIFF or a truncated file. */
async function firstDirectory(read: Read): Promise<Map<number, number> | undefined> {
  const head = viewOf(await read(0, 8));
  const little = head.byteLength === 8 && head.getUint8(0) === 0x49;
  if (head.byteLength < 8 || head.getUint16(2, little) !== 42) return undefined;
  const start = head.getUint32(4, little);
  const count = viewOf(await read(start, 2));
  if (count.byteLength < 2) return undefined;
  const entries = viewOf(await read(start + 2, count.getUint16(0, little) * ENTRY_BYTES));
  const tags = new Map<number, number>();
  for (let at = 0; at + ENTRY_BYTES <= entries.byteLength; at += ENTRY_BYTES) {
    const isShort = entries.getUint16(at + 2, little) === SHORT;
    const value = isShort ? entries.getUint16(at + 8, little) : entries.getUint32(at + 8, little);
    tags.set(entries.getUint16(at, little), value);
  }
  return tags;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
