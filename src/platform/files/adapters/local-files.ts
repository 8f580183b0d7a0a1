import type { Dirent } from 'node:fs';
import { type FileStore, FilesError, type FolderEntry } from '../files.ts';
import { isTemporaryName, safeFolder, safePath } from '../paths.ts';
import { type Syscalls, systemCalls } from '../syscalls.ts';
import { createDraftThread } from './draft-thread.ts';
import { createDurability } from './durability.ts';
import { moveEntry, removeEmptyFolder, removeEntry, removeOnly } from './local-entries.ts';
import { absent, filesError } from './local-errors.ts';
import { openFile } from './local-open.ts';
import { probeFolder } from './local-probe.ts';
import { fileStat, readWholeFreely } from './local-read.ts';
import { createLocalRoot } from './local-root.ts';
import { cleanTemporaryEntries } from './local-temporary.ts';
import { writeAtomically } from './local-write.ts';
import { writeManyAtomically } from './local-write-many.ts';

/** Shared by all folders of the process. */
const draftThread = createDraftThread();

export interface LocalFilesOptions {
  /** An absolute path; the folder is never created here. */
  root: string;
  syscalls?: Syscalls;
}

/** A folder of the local file system (spec 1; POSIX only: atomic replacement needs rename and folder syncs). */
export function createLocalFiles({ root: rootPath, syscalls = systemCalls }: LocalFilesOptions): FileStore {
  const root = createLocalRoot(rootPath, syscalls);
  const durability = createDurability(root, syscalls);
  // Replaced system calls work only in this thread.
  const parts = { root, syscalls, durability, draftThread: syscalls === systemCalls ? draftThread : null };

  return {
    describe: async () => ({ kind: 'local', root: rootPath }),
    probe: () => probeFolder(root),
    stat: (path) =>
      explained('look at', path, async () => {
        const stats = syscalls.lstatSync(root.entry(safePath(path)));
        return stats?.isFile() ? fileStat(path, stats) : undefined;
      }).catch(absentIsUndefined),
    read: (path, most) =>
      explained('read', path, () => readWholeFreely(syscalls, root.entry(safePath(path)), path, most)),
    open: (path) => explained('open', path, async () => openFile(syscalls, root.entry(safePath(path)), path)),
    locate: (path) => explained('find', path, async () => root.entry(safePath(path))),
    write: (path, bytes, options) =>
      explained('write', path, () => {
        safePath(path);
        const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
        return durability.asWriter(() => writeAtomically(parts, path, content, options));
      }),
    writeMany: (files) => durability.asWriter(() => writeManyAtomically(parts, files)),
    move: (from, to) =>
      explained('move', from, () =>
        durability.asWriter(() => moveEntry(parts, safePath(from), safePath(to))),
      ),
    removeOnly: (path, bytes) =>
      explained('remove', path, () => durability.asWriter(() => removeOnly(parts, safePath(path), bytes))),
    removeEmptyFolder: (folder) =>
      explained('remove', folder, () =>
        durability.asWriter(() => removeEmptyFolder(parts, safePath(folder))),
      ),
    remove: (path) =>
      explained('remove', path, () => durability.asWriter(() => removeEntry(parts, safePath(path)))),
    list: (folder) =>
      explained('list', folder, async () => {
        if (root.isAbsent(safeFolder(folder))) throw absent(folder);
        const entries = await syscalls.readdir(root.folder(folder));
        return entries.filter(({ name }) => !isTemporaryName(name)).map(folderEntry);
      }),
    cleanTemporaryFiles: () => explained('clean', '', () => cleanTemporaryEntries(root, syscalls)),
  };
}

async function explained<T>(doing: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw filesError(error, doing, path);
  }
}

function absentIsUndefined(error: unknown): undefined {
  if (error instanceof FilesError && (error.code === 'not_found' || error.code === 'not_a_folder'))
    return undefined;
  throw error;
}

function folderEntry(entry: Dirent): FolderEntry {
  const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
  return { name: entry.name, kind };
}
