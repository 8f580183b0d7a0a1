import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, lstat, open, rename, rm, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  BLOB_LIMITS,
  type Blob,
  type BlobBody,
  type BlobStore,
  BlobsError,
  type GetOptions,
  type PutOptions,
} from '../blobs.ts';
import { boundedStream } from '../bounded.ts';
import { safeKey } from '../keys.ts';
import { counted } from '../pieces.ts';
import { boundsOf } from '../ranges.ts';
import { changed, requireCondition } from '../tags.ts';
import { localError } from './local-errors.ts';
import { listFolder, localStat, localTag } from './local-list.ts';
import { type LocalPath, localPath, syncFolder } from './local-paths.ts';
import { tryFolder } from './local-preflight.ts';

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function createLocalBlobs({ path: root }: { path: string }): BlobStore {
  return {
    provider: 'local',
    preflight: () => explained(() => tryFolder(root)),
    put: (key, body, { size, only } = {}) =>
      explained(async () => {
        const place = await localPath(root, key, { make: true });
        await replace(place, (temporary) => writeFile(temporary, body, size), only);
        const stats = await lstat(place.file).catch(nullIfAbsent);
        return { etag: stats && localTag(stats) };
      }),
    get: (key, options = {}) =>
      explained(async () => openBlob(await localPath(root, key).catch(missingFolder), options)),
    stat: (key) =>
      explained(async () => {
        const place = await localPath(root, key).catch(nullIfAbsent);
        const stats = place && (await lstat(place.file).catch(nullIfAbsent));
        return stats?.isFile() ? localStat(key, stats) : null;
      }),
    list: (wanted) =>
      explained(async () => {
        await localPath(root, 'any');
        return listFolder(root, wanted);
      }),
    delete: (key) =>
      explained(async () => {
        const place = await localPath(root, key).catch(nullIfAbsent);
        if (place === null) return;
        await unlink(place.file).catch(nullIfAbsent);
        await syncFolder(place.folder);
      }),
    copy: (from, to) =>
      explained(async () => {
        const source = await localPath(root, from).catch(missingFolder);
        if (!(await lstat(source.file)).isFile())
          throw new BlobsError('not_found', 'There is no such object');
        const target = await localPath(root, safeKey(to), { make: true });
        await replace(target, (temporary) => copyDurably(source.file, temporary));
      }),
    presign: null,
    capacity: () =>
      explained(async () => {
        const { bsize, blocks, bfree, bavail } = await statfs(root);
        return { total: bsize * blocks, free: bsize * bfree, available: bsize * bavail };
      }),
    close: async () => {},
  };
}

/**
 * Writes the new file beside the old one and renames it into place. An etag condition is checked right before the rename.
 */
async function replace(
  place: LocalPath,
  write: (temporary: string) => Promise<void>,
  only?: PutOptions['only'],
): Promise<void> {
  const temporary = join(place.folder, `.canonry-${randomUUID().replaceAll('-', '')}.tmp`);
  try {
    await write(temporary);
    await putInPlace(temporary, place.file, only);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(place.folder);
}

async function putInPlace(temporary: string, file: string, only: PutOptions['only']): Promise<void> {
  if (only && 'ifAbsent' in only) {
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? changed({ cause: error }) : error;
    });
    return unlink(temporary);
  }
  const stats = only && (await lstat(file).catch(nullIfAbsent));
  requireCondition(only, stats ? localTag(stats) : null);
  await rename(temporary, file);
}

async function writeFile(path: string, body: BlobBody, size: number | undefined): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    for await (const bytes of counted(body, size)) {
      let written = 0;
      while (written < bytes.byteLength)
        written += (await handle.write(bytes, written, bytes.byteLength - written)).bytesWritten;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const handle = await open(to, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openBlob({ file }: LocalPath, { range, ifEtag }: GetOptions): Promise<Blob> {
  const handle = await open(file, READ);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new BlobsError('not_found', 'There is no such object');
    if (ifEtag !== undefined && ifEtag !== localTag(stats)) throw changed();
    const { size } = stats;
    const bounds = range && boundsOf(size, range);
    const length = bounds ? bounds.last - bounds.first + 1 : size;
    const source: Readable = handle.createReadStream(
      bounds ? { start: bounds.first, end: bounds.last } : { end: Math.max(0, size - 1) },
    );
    const stream = boundedStream(source, { length, answerMs: BLOB_LIMITS.answerMs, explain: localError });
    return { size, etag: localTag(stats), stream };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw localError(error);
  }
}

/** A key below a file, or below a missing folder, does not exist. */
const isAbsence = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));

function nullIfAbsent(error: unknown): null {
  if (isAbsence(error)) return null;
  throw error;
}

function missingFolder(error: unknown): never {
  throw isAbsence(error) ? new BlobsError('not_found', 'There is no such object', { cause: error }) : error;
}
