/** A file of an archive: its path in it, and what it holds. */
export interface ZipFile {
  path: string;
  content: Blob;
}

const UTF8_NAMES = 0x0800;
const VERSION = 20;
/** The first day that a zip can say: when a file was changed does not matter to an import. */
const FIRST_DAY = 0x0021;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

function bytesOf(...fields: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}

/** The facts that a file's header and its entry in the directory have in common. */
const factsOf = (crc: number, size: number, name: Uint8Array) =>
  [
    [2, VERSION],
    [2, UTF8_NAMES],
    [2, 0],
    [2, 0],
    [2, FIRST_DAY],
    [4, crc],
    [4, size],
    [4, size],
    [2, name.length],
    [2, 0],
  ] as const;

/** Each reading asks other processes of the browser, which takes longer than a small file itself. */
const READ_AT_ONCE = 256;

async function* bytesOfEach(files: readonly ZipFile[]): AsyncGenerator<[ZipFile, Uint8Array<ArrayBuffer>]> {
  for (let from = 0; from < files.length; from += READ_AT_ONCE) {
    const some = files.slice(from, from + READ_AT_ONCE);
    const all = await new Blob(some.map(({ content }) => content)).arrayBuffer();
    let at = 0;
    for (const file of some) {
      yield [file, new Uint8Array(all, at, file.content.size)];
      at += file.content.size;
    }
  }
}

/** A zip of files as they are, without compression. It reads each file once, and stays below 4 GB. */
export async function zipOf(files: readonly ZipFile[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, directorySize] = [0, 0];
  for await (const [{ path }, content] of bytesOfEach(files)) {
    const name = new TextEncoder().encode(path);
    const facts = factsOf(crcOf(content), content.length, name);
    const header = bytesOf([4, 0x04034b50], ...facts);
    const entry = bytesOf(
      [4, 0x02014b50],
      [2, VERSION],
      ...facts,
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    );
    parts.push(header, name, content);
    directory.push(entry, name);
    offset += header.length + name.length + content.length;
    directorySize += entry.length + name.length;
  }
  const count = files.length;
  const end = bytesOf(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directorySize],
    [4, offset],
    [2, 0],
  );
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
