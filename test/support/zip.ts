import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export interface ZipMember {
  name: string;
  content?: string | Uint8Array;
  /** Unix kind and mode; a regular file by default. */
  mode?: number;
  /** Overrides the stated size. */
  claimedSize?: number;
}

const REGULAR_FILE = 0o100644;

/** Made by hand, so that it can hold what no honest program would write. */
export function zipOf(members: readonly ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = REGULAR_FILE, claimedSize } of members) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const fileName = Buffer.from(name);
    const sums = Buffer.alloc(12);
    sums.writeUInt32LE(crc32(raw), 0);
    sums.writeUInt32LE(packed.length, 4);
    sums.writeUInt32LE(claimedSize ?? raw.length, 8);
    const common = Buffer.concat([Buffer.from([20, 0, 0, 8, 8, 0, 0, 0, 0, 0]), sums]);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(fileName.length, 0);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, lengths, fileName, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.from('PK\x01\x02', 'latin1'),
      Buffer.from([20, 3]),
      common,
      lengths,
      tail,
      fileName,
    );
    offset += 4 + common.length + 4 + fileName.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listing, end]);
}

/** Texts by their paths, a letter for each byte. */
export async function unzipped(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true });
  const found: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    found[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString('latin1');
  return found;
}
