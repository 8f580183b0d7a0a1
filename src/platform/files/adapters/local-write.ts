import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import type { FileStat, FileWrite, WriteOptions } from '../files.ts';
import { folderOf, safePath } from '../paths.ts';
import { isSameFile } from '../same-file.ts';
import type { Syscalls } from '../syscalls.ts';
import type { Durability } from './durability.ts';
import { errnoOf, notAFile, targetChanged, targetExists, targetMissing } from './local-errors.ts';
import { fileStat, largeFile, readWhole } from './local-read.ts';
import { type LocalRoot, nameOf } from './local-root.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface WriteParts {
  root: LocalRoot;
  syscalls: Syscalls;
  durability: Durability;
}

interface DraftParts extends Omit<WriteParts, 'durability'> {
  durability: Pick<Durability, 'noteMade'>;
}

/** Temporary file in the same folder, sync, rename, sync of the folder. Throws system errors and `FilesError`. */
export async function writeAtomically(
  parts: WriteParts,
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<FileStat> {
  const { syscalls, durability } = parts;
  const draft = openDraft(parts, { path, ...options });
  let stats: Stats;
  try {
    await writeContent(syscalls, draft.fd, content);
    await durability.syncFile(draft.fd);
    stats = putInPlace(syscalls, draft);
  } catch (error) {
    removeQuietly(syscalls, draft.temporary);
    throw error;
  } finally {
    syscalls.closeSync(draft.fd);
  }
  await durability.syncFolder(folderOf(path));
  return fileStat(path, stats);
}

/** A file that is being written under a name of its own. */
export interface Draft {
  path: string;
  temporary: string;
  target: string;
  fd: number;
  options: WriteOptions;
}

function openDraft(
  { root, syscalls, durability }: DraftParts,
  { path, newFolder, ...options }: Omit<FileWrite, 'content'>,
): Draft {
  const folder = folderOf(path);
  const realFolder = newFolder
    ? root.newFolder(folder, durability.noteMade)
    : root.madeFolder(folder, durability.noteMade);
  const target = `${realFolder}/${nameOf(path)}`;
  const replaced = syscalls.lstatSync(target);
  if (replaced !== undefined && options.ifAbsent) throw targetExists(path);
  if (replaced !== undefined && !replaced.isFile()) throw notAFile(path);
  const temporary = `${realFolder}/${temporaryName()}`;
  const fd = syscalls.openSync(temporary, createFlags, 0o666);
  const draft = { path, temporary, target, fd, options };
  try {
    if (replaced !== undefined) syscalls.fchmodSync(fd, replaced.mode & 0o7777);
  } catch (error) {
    dropDraft(syscalls, draft);
    throw error;
  }
  return draft;
}

/** A file with its whole content under a name of its own. */
export async function draftOf(parts: DraftParts, { content, ...file }: FileWrite): Promise<Draft> {
  safePath(file.path);
  const draft = openDraft(parts, file);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    await writeContent(parts.syscalls, draft.fd, bytes);
    return draft;
  } catch (error) {
    dropDraft(parts.syscalls, draft);
    throw error;
  }
}

export function putInPlace(syscalls: Syscalls, { path, temporary, target, fd, options }: Draft): Stats {
  const { ifAbsent, onlyOver } = options;
  if (onlyOver) replaceOnly(syscalls, { path, temporary, target }, onlyOver);
  else if (ifAbsent) linkIntoPlace(syscalls, temporary, target, path);
  else syscalls.renameSync(temporary, target);
  // Through the handle: by name it could be what someone else put there since.
  return syscalls.fstatSync(fd);
}

type Placed = Pick<Draft, 'path' | 'temporary' | 'target'>;

/**
 * Looks before and after: a file that an editor saves in between comes back, and this write fails with `changed`. What
 * stays is the instant between the last look at the name and the rename, in which an editor may give it to another file.
 */
function replaceOnly(
  syscalls: Syscalls,
  { path, temporary, target }: Placed,
  seen: Uint8Array | FileStat,
): void {
  const kept = keepOnly(syscalls, { target, path }, seen);
  try {
    if (kept !== undefined && inodeOf(syscalls, kept) !== inodeOf(syscalls, target))
      throw targetChanged(path);
    syscalls.renameSync(temporary, target);
  } catch (error) {
    if (kept !== undefined) removeQuietly(syscalls, kept);
    throw error;
  }
  if (kept === undefined) return;
  if (!isAsKept(syscalls, { kept, path }, seen)) {
    syscalls.renameSync(kept, target);
    throw targetChanged(path);
  }
  removeQuietly(syscalls, kept);
}

/** A second name of the file that was seen; undefined where the file system has no such thing. */
function keepOnly(
  syscalls: Syscalls,
  { target, path }: Pick<Draft, 'target' | 'path'>,
  seen: Uint8Array | FileStat,
): string | undefined {
  if (!isStill(syscalls, { target, path }, seen)) throw targetChanged(path);
  const kept = `${folderOf(target)}/${temporaryName()}`;
  try {
    syscalls.linkSync(target, kept);
  } catch (error) {
    if (lacksLinks(error)) return undefined;
    throw error;
  }
  return kept;
}

const inodeOf = (syscalls: Syscalls, absolute: string): number | undefined =>
  syscalls.lstatSync(absolute)?.ino;

function isStill(
  syscalls: Syscalls,
  { target, path }: Pick<Draft, 'target' | 'path'>,
  seen: Uint8Array | FileStat,
): boolean {
  if (seen instanceof Uint8Array) return hasBytes(syscalls, target, path, seen);
  const present = syscalls.lstatSync(target);
  if (present === undefined) throw targetMissing(path);
  return isSameFile(fileStat(path, present), seen);
}

/** The second name itself has changed the ctime. */
function isAsKept(
  syscalls: Syscalls,
  { kept, path }: { kept: string; path: string },
  seen: Uint8Array | FileStat,
): boolean {
  if (seen instanceof Uint8Array) return hasBytes(syscalls, kept, path, seen);
  const present = syscalls.lstatSync(kept);
  return present !== undefined && isSameFile({ ...fileStat(path, present), ctimeMs: seen.ctimeMs }, seen);
}

const hasBytes = (syscalls: Syscalls, absolute: string, path: string, bytes: Uint8Array): boolean =>
  Buffer.compare(readWhole(syscalls, absolute, path), bytes) === 0;

export function dropDraft(syscalls: Syscalls, { temporary, fd }: Draft): void {
  removeQuietly(syscalls, temporary);
  syscalls.closeSync(fd);
}

const processName = randomBytes(8).toString('hex');
let temporaryCount = 0;

/** A name of this process alone that walks and watchers know as unfinished; see `isTemporaryName`. */
export function temporaryName(): string {
  temporaryCount += 1;
  return `.canonry-${processName}${temporaryCount.toString(36)}.tmp`;
}

async function writeContent(
  syscalls: Syscalls,
  fd: number,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (content instanceof Uint8Array) return writeAll(syscalls, fd, content);
  for await (const bytes of content) await writeAll(syscalls, fd, bytes);
}

async function writeAll(syscalls: Syscalls, fd: number, bytes: Uint8Array): Promise<void> {
  const large = bytes.length > largeFile;
  let written = 0;
  while (written < bytes.length) {
    written += large ? await syscalls.write(fd, bytes, written) : syscalls.writeSync(fd, bytes, written);
  }
}

/** A rename that fails with EEXIST where the target is there. */
export function linkIntoPlace(syscalls: Syscalls, temporary: string, target: string, path: string): void {
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
