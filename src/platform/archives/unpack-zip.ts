import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { ArchiveError, damaged } from './archive-error.ts';
import { type EntryName, readName } from './entry-name.ts';
import type { EntryTree } from './entry-tree.ts';
import type { FileStore } from './file-store.ts';
import { isLinkOrDevice, openZip, slimEntry } from './zip-file.ts';

/** The flag for names in UTF-8. Many programs write such names without it. */
const UTF8_NAME = 0x0800;

/** Checks all entries before it reads the first. Throws `ArchiveError`, or what yauzl throws. */
export async function unpackZip(archive: string, tree: EntryTree, store: FileStore): Promise<void> {
  const zip = await openZip(archive, { decodeStrings: false });
  try {
    const entries: { entry: Entry; name: EntryName }[] = [];
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      tree.add(name);
      entries.push({ entry: slimEntry(entry), name });
    }
    for (const { entry, name } of entries)
      await pipeline(await zip.openReadStreamPromise(entry), (bytes) =>
        store.put(name, verified(bytes, entry, name)),
      );
  } finally {
    zip.close();
  }
}

/** Throws `ArchiveError` for anything but a plain file or folder. */
function nameOf(entry: Entry): EntryName {
  const spelled = getFileNameLowLevel(UTF8_NAME, entry.fileNameRaw, entry.extraFields, true);
  if (entry.isEncrypted())
    throw new ArchiveError('encrypted', 'that is encrypted: pack it without a password', { entry: spelled });
  if (isLinkOrDevice(entry))
    throw new ArchiveError('bad_entry', 'that is a link or a device: pack the file itself', {
      entry: spelled,
    });
  if (!entry.canDecodeFileData())
    throw new ArchiveError('bad_entry', 'that is packed in an unusual way: pack it as a common zip', {
      entry: spelled,
    });
  return readName(spelled);
}

/** The sizes are checked by yauzl, but not the checksum. */
async function* verified(bytes: AsyncIterable<Buffer>, entry: Entry, { path }: EntryName) {
  let sum = 0;
  for await (const piece of bytes) {
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== entry.crc32)
    throw damaged('whose bytes are not those that it was packed from', { entry: path });
}
