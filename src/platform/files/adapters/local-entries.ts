import { nameOf } from '../../../text/paths.ts';
import { FilesError } from '../files.ts';
import { folderOf } from '../paths.ts';
import { errnoOf, filesError, notAFile, targetChanged, targetExists } from './local-errors.ts';
import { readWhole } from './local-read.ts';
import { linkIntoPlace, temporaryName, type WriteParts } from './local-write.ts';

/** Throws system errors and `FilesError`. */
export async function moveEntry(parts: WriteParts, from: string, to: string): Promise<void> {
  const { root, syscalls, durability } = parts;
  if (to.startsWith(`${from}/`)) {
    throw new FilesError('bad_path', to, `"${from}" cannot be moved into itself ("${to}")`);
  }
  const source = root.entry(from);
  const moved = movable(parts, source, from);
  const target = `${root.madeFolder(folderOf(to), durability.noteMade)}/${nameOf(to)}`;
  const present = syscalls.lstatSync(target);
  // On a case-insensitive file system, a rename that changes only the case finds the entry itself.
  const changesCase = present?.ino === moved.ino && from.toLowerCase() === to.toLowerCase();
  if (present !== undefined && !changesCase) throw targetExists(to);
  syscalls.renameSync(source, target);
  await durability.syncFolder(folderOf(to));
  if (folderOf(from) !== folderOf(to)) await durability.syncFolder(folderOf(from));
}

/** Throws system errors and `FilesError`. */
export async function removeEntry(parts: WriteParts, path: string): Promise<void> {
  const { root, syscalls, durability } = parts;
  const entry = root.entry(path);
  if (movable(parts, entry, path).isFile()) {
    syscalls.unlinkSync(entry);
    await durability.syncFolder(folderOf(path));
    return;
  }
  // Removing a tree takes many steps; after a rename it is gone in one.
  const doomed = `${root.folder(folderOf(path))}/${temporaryName()}`;
  syscalls.renameSync(entry, doomed);
  try {
    await durability.syncFolder(folderOf(path));
  } catch (error) {
    putBackQuietly(parts, doomed, entry);
    throw error;
  }
  // Entries that cannot be removed are no longer content, and `cleanTemporaryFiles` tries again.
  await syscalls.removeTree(doomed).catch(() => undefined);
}

/**
 * Moves the file out of its place before checking the bytes: a version saved by an editor meanwhile is never removed.
 * Throws system errors and `FilesError`.
 */
export async function removeOnly(parts: WriteParts, path: string, bytes: Uint8Array): Promise<void> {
  const { root, syscalls, durability } = parts;
  const entry = root.entry(path);
  if (!movable(parts, entry, path).isFile()) throw notAFile(path);
  const aside = `${root.folder(folderOf(path))}/${temporaryName()}`;
  syscalls.renameSync(entry, aside);
  if (Buffer.compare(readWhole(syscalls, aside, path), bytes) !== 0) {
    linkIntoPlace(syscalls, aside, entry, path);
    throw targetChanged(path);
  }
  syscalls.unlinkSync(aside);
  await durability.syncFolder(folderOf(path));
}

/** Throws system errors and `FilesError`. */
export async function removeEmptyFolder(parts: WriteParts, folder: string): Promise<boolean> {
  const { root, syscalls, durability } = parts;
  try {
    syscalls.rmdirSync(root.entry(folder));
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
  await durability.syncFolder(folderOf(folder));
  return true;
}

/** If this fails too, the removal has happened, and the error says that it may not be durable. */
function putBackQuietly({ syscalls }: WriteParts, doomed: string, entry: string): void {
  try {
    syscalls.renameSync(doomed, entry);
  } catch {
    return;
  }
}

function movable({ syscalls }: WriteParts, absolute: string, path: string) {
  const stats = syscalls.lstatSync(absolute);
  if (stats === undefined) throw filesError(Object.assign(new Error(), { code: 'ENOENT' }), 'find', path);
  if (!stats.isFile() && !stats.isDirectory()) throw notAFile(path);
  return stats;
}
