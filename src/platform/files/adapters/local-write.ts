import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { nameOf } from '../../../text/paths.ts';
import type { FileStat, FileWrite, WriteOptions } from '../files.ts';
import { folderOf, safePath } from '../paths.ts';
import { isSameFile } from '../same-file.ts';
import type { Syscalls } from '../syscalls.ts';
import type { Durability } from './durability.ts';
import { errnoOf, notAFile, targetChanged, targetExists, targetMissing } from './local-errors.ts';
import { fileStat, largeFile, readWhole } from './local-read.ts';
import type { LocalRoot } from './local-root.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface WriteParts {
  root: LocalRoot;
  syscalls: Syscalls;
  durability: Durability;
}

interface DraftParts extends Omit<WriteParts, 'durability'> {
  durability: Pick<Durability, 'noteMade'>;
}

/** Temporary file, sync, rename, sync of the folder. Throws system errors and `FilesError`. */
export async function writeAtomically(
  parts: WriteParts,
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<FileStat> {
  const { syscalls, durability } = parts;
  const draft = openDraft(parts, { path, ...options });
  let placed: PlacedDraft;
  try {
    await writeContent(syscalls, draft.fd, content);
    await durability.syncFile(draft.fd);
    placed = putInPlace(syscalls, draft);
  } catch (error) {
    removeQuietly(syscalls, draft.temporary);
    throw error;
  } finally {
    syscalls.closeSync(draft.fd);
  }
  if (placed.oldName !== undefined) await durability.removeName(placed.oldName);
  await durability.syncFolder(folderOf(path));
  return placed.stat;
}

export interface Draft {
  path: string;
  temporary: string;
  target: string;
  fd: number;
  options: WriteOptions;
}

function openDraft({ root, syscalls, durability }: DraftParts, file: Omit<FileWrite, 'content'>): Draft {
  const { path, newFolder: _, ...options } = file;
  const realFolder = folderFor(root, file, durability.noteMade);
  const target = `${realFolder}/${nameOf(path)}`;
  const replaced = syscalls.lstatSync(target);
  if (replaced !== undefined && options.ifAbsent) throw targetExists(path);
  if (replaced !== undefined && !replaced.isFile()) throw notAFile(path);
  const temporary = `${realFolder}/${temporaryName()}`;
  // A reader who opens it before a later chmod could read everything that is written.
  const mode = replaced === undefined ? 0o666 : (replaced.mode & 0o777) | 0o600;
  const fd = syscalls.openSync(temporary, createFlags, mode);
  const draft = { path, temporary, target, fd, options };
  try {
    const isOther = replaced !== undefined && replaced.mode !== syscalls.fstatSync(fd).mode;
    if (isOther) syscalls.fchmodSync(fd, replaced.mode & 0o7777);
  } catch (error) {
    dropDraft(syscalls, draft);
    throw error;
  }
  return draft;
}

/** The folder of a file that is to be replaced must exist; any other is made. */
function folderFor(
  root: LocalRoot,
  { path, newFolder, onlyOver }: Omit<FileWrite, 'content'>,
  noteMade: (folder: string) => void,
): string {
  const folder = folderOf(path);
  if (newFolder) return root.newFolder(folder, noteMade);
  return onlyOver ? root.folder(folder) : root.madeFolder(folder, noteMade);
}

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

export interface PlacedDraft {
  stat: FileStat;
  /** Of the replaced file; the caller must remove it. */
  oldName: string | undefined;
}

export function putInPlace(
  syscalls: Syscalls,
  { path, temporary, target, fd, options: { ifAbsent, onlyOver } }: Draft,
): PlacedDraft {
  let oldName: string | undefined;
  if (onlyOver) oldName = replaceOnly(syscalls, { path, temporary, target }, onlyOver);
  else if (ifAbsent) linkIntoPlace(syscalls, temporary, target, path);
  else syscalls.renameSync(temporary, target);
  // By handle: the name could belong to another file by now.
  return { stat: fileStat(path, syscalls.fstatSync(fd)), oldName };
}

/**
 * Checks before and after the rename: a version that an editor saves in between is restored, and this write fails with
 * `changed`. A gap remains between the last check of the name and the rename, in which an editor may replace the file.
 * Returns a second name of the replaced file, if the file system has hard links.
 */
function replaceOnly(
  syscalls: Syscalls,
  { path, temporary, target }: Pick<Draft, 'path' | 'temporary' | 'target'>,
  seen: Uint8Array | FileStat,
): string | undefined {
  const kept = keepOnly(syscalls, { target, path }, seen);
  try {
    if (kept !== undefined && inodeOf(syscalls, kept) !== inodeOf(syscalls, target))
      throw targetChanged(path);
    syscalls.renameSync(temporary, target);
  } catch (error) {
    if (kept !== undefined) removeQuietly(syscalls, kept);
    throw error;
  }
  if (kept !== undefined && !isAsKept(syscalls, { kept, path }, seen)) {
    syscalls.renameSync(kept, target);
    throw targetChanged(path);
  }
  return kept;
}

/** Undefined if the file system has no hard links. */
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

/** The ctime is not compared, since the second name itself has changed it. */
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

/** Unique to this process; walks and watchers recognize it (`isTemporaryName`). */
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

/** Fails with EEXIST if the target exists, as a rename would not. */
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

/** `cleanTemporaryFiles` removes leftovers. */
function removeQuietly(syscalls: Syscalls, absolute: string): void {
  try {
    syscalls.unlinkSync(absolute);
  } catch {
    return;
  }
}
