import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import type { FileStat, WriteOptions } from '../files.ts';
import { folderOf } from '../paths.ts';
import type { Syscalls } from '../syscalls.ts';
import type { Durability } from './durability.ts';
import { errnoOf, notAFile, targetExists } from './local-errors.ts';
import { fileStat, largeFile } from './local-read.ts';
import { type LocalRoot, nameOf } from './local-root.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface WriteParts {
  root: LocalRoot;
  syscalls: Syscalls;
  durability: Durability;
}

/** Temporary file in the same folder, sync, rename, sync of the folder. Throws system errors and `FilesError`. */
export async function writeAtomically(
  { root, syscalls, durability }: WriteParts,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<FileStat> {
  const folder = folderOf(path);
  const realFolder = root.madeFolder(folder, durability.noteMade);
  const target = `${realFolder}/${nameOf(path)}`;
  const replaced = syscalls.lstatSync(target);
  if (replaced !== undefined && options.ifAbsent) throw targetExists(path);
  if (replaced !== undefined && !replaced.isFile()) throw notAFile(path);

  const temporary = `${realFolder}/${temporaryName()}`;
  const fd = syscalls.openSync(temporary, createFlags, 0o666);
  let stats: Stats;
  try {
    if (replaced !== undefined) syscalls.fchmodSync(fd, replaced.mode & 0o7777);
    await writeAll(syscalls, fd, bytes);
    await durability.syncFile(fd);
    if (options.ifAbsent) linkIntoPlace(syscalls, temporary, target, path);
    else syscalls.renameSync(temporary, target);
    // Through the handle: by name it could be what someone else put there since.
    stats = syscalls.fstatSync(fd);
  } catch (error) {
    removeQuietly(syscalls, temporary);
    throw error;
  } finally {
    syscalls.closeSync(fd);
  }
  await durability.syncFolder(folder);
  return fileStat(path, stats);
}

const processName = randomBytes(8).toString('hex');
let temporaryCount = 0;

/** A name of this process alone that walks and watchers know as unfinished; see `isTemporaryName`. */
export function temporaryName(): string {
  temporaryCount += 1;
  return `.canonry-${processName}${temporaryCount.toString(36)}.tmp`;
}

async function writeAll(syscalls: Syscalls, fd: number, bytes: Uint8Array): Promise<void> {
  const large = bytes.length > largeFile;
  let written = 0;
  while (written < bytes.length) {
    written += large ? await syscalls.write(fd, bytes, written) : syscalls.writeSync(fd, bytes, written);
  }
}

/** A rename that fails with EEXIST where the target is there. */
function linkIntoPlace(syscalls: Syscalls, temporary: string, target: string, path: string): void {
  try {
    syscalls.linkSync(temporary, target);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    if (syscalls.lstatSync(target) !== undefined) throw targetExists(path);
    syscalls.renameSync(temporary, target);
    return;
  }
  removeQuietly(syscalls, temporary);
}

/** Some file systems (exFAT, network and container mounts) have no hard links. */
function lacksLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '');
}

/** What stays is removed by `cleanTemporaryFiles`. */
function removeQuietly(syscalls: Syscalls, absolute: string): void {
  try {
    syscalls.unlinkSync(absolute);
  } catch {
    return;
  }
}
