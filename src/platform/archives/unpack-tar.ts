import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createByteLimit } from './byte-limit.ts';
import { createByteReader } from './byte-reader.ts';
import type { EntryTree } from './entry-tree.ts';
import type { FileStore } from './file-store.ts';
import { tarEntries } from './tar-entries.ts';

/** `most` counts all bytes in the gzip: headers, notes and zeros are of no file, but may be as many as one likes. */
export async function unpackTarGz(
  archive: string,
  most: number,
  tree: EntryTree,
  store: FileStore,
): Promise<void> {
  const limited = createByteLimit(most);
  await pipeline(createReadStream(archive), createGunzip(), async (bytes) => {
    const reader = createByteReader(limited(bytes));
    for await (const { name, size } of tarEntries(reader)) {
      tree.add(name);
      await store.put(name, reader.pieces(size));
    }
    // The checksum of the gzip is at its end.
    await reader.finish();
  });
}
