import { constants } from 'node:fs';
import { open, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsError } from '../blobs.ts';
import { PROBE_FILE } from '../keys.ts';
import { localError } from './local-errors.ts';

/** Never opens an existing file, which would belong to somebody else. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Throws unless the path is a folder in which a file can be created and removed (spec 2 §8.1). */
export async function tryFolder(path: string): Promise<void> {
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw cause;
    throw new BlobsError('no_bucket', 'The folder does not exist; make it first', { cause });
  });
  if (!stats.isDirectory()) throw new BlobsError('no_bucket', 'The path is not a folder');
  const file = join(path, PROBE_FILE);
  await doing('made', async () => (await open(file, CREATE, 0o600)).close());
  await doing('removed', () => unlink(file));
}

async function doing(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BlobsError(
        'conflict',
        `No file can be ${what} in the folder: ${PROBE_FILE} is there already. Move it away if nobody needs it`,
        { cause: error },
      );
    const { code, message } = localError(error);
    throw new BlobsError(code, `No file can be ${what} in the folder: ${message}`, { cause: error });
  }
}
