import { lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsError } from '../blobs.ts';
import { safeKey } from '../keys.ts';

export interface LocalPath {
  folder: string;
  file: string;
}

/** A link on the way is `denied`: it could lead outside. `make` creates missing folders durably, but never the root. */
export async function localPath(root: string, key: string, { make = false } = {}): Promise<LocalPath> {
  const names = safeKey(key).split('/');
  const name = names.pop() ?? '';
  let folder = await realpath(root).catch((cause: unknown) => {
    throw rootMissing({ cause });
  });
  if (!(await lstat(folder)).isDirectory()) throw rootMissing();
  for (const each of names) {
    const parent = folder;
    folder = join(parent, each);
    if (make) await makeFolder(parent, folder);
    if ((await lstat(folder)).isSymbolicLink())
      throw new BlobsError('denied', 'A folder of the storage is a symbolic link; links are not followed');
  }
  return { folder, file: join(folder, name) };
}

/** Makes a folder's entries survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeFolder(parent: string, folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await syncFolder(parent);
}

const rootMissing = (options?: ErrorOptions) =>
  new BlobsError('no_bucket', 'The folder of the storage is not there', options);
