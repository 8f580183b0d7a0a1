import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createByteLimit } from './byte-limit.ts';
import type { EntryName } from './entry-name.ts';
import { isLeftOut } from './left-out.ts';

export interface UnpackedFile {
  /** As in the archive. */
  path: string;
  /** Bytes. */
  size: number;
  /** Where its bytes are until the folder is removed. */
  file: string;
}

/** Keeps the bytes of entries in files that are named by numbers, so that no name of an archive reaches a disk. */
export interface FileStore {
  /** Reads all bytes. Those of folders and of what is left out are only counted. */
  put(name: EntryName, bytes: AsyncIterable<Buffer>): Promise<void>;
  files(): UnpackedFile[];
  /** Removes whatever it wrote. */
  clear(): Promise<void>;
}

/** `most` counts the bytes of all entries. */
export function createFileStore(folder: string, most: number): FileStore {
  const files: UnpackedFile[] = [];
  const limited = createByteLimit(most);

  async function write(file: UnpackedFile, bytes: AsyncIterable<Buffer>): Promise<void> {
    const out = await open(file.file, 'wx', 0o600);
    files.push(file);
    try {
      for await (const piece of limited(bytes)) {
        await out.writeFile(piece);
        file.size += piece.length;
      }
    } finally {
      await out.close();
    }
  }

  return {
    async put({ path, isFolder }, bytes) {
      if (isFolder || isLeftOut(path)) return drain(limited(bytes));
      await write({ path, size: 0, file: join(folder, String(files.length)) }, bytes);
    },

    files: () => files,

    async clear() {
      for (const { file } of files) await rm(file, { force: true });
    },
  };
}

async function drain(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of bytes);
}
