import { Readable } from 'node:stream';
import { sha256Hex } from '../../src/kit/crypto.ts';
import {
  type FileContent,
  type FileScanner,
  type FileStat,
  type FileStore,
  FilesError,
  type ScanBatch,
} from '../../src/platform/files/files.ts';
import {
  folderOf,
  isHiddenName,
  isTemporaryName,
  joinPath,
  safeFolder,
  safePath,
} from '../../src/platform/files/paths.ts';
import { isSameFile } from '../../src/platform/files/same-file.ts';
import { writeEach } from '../../src/platform/files/write-each.ts';
import { createMemoryTree, type MemoryTree } from './memory-tree.ts';

/** For tests; `now` returns milliseconds. */
export function createMemoryFiles(now: () => number = Date.now): { files: FileStore; scanner: FileScanner } {
  const tree = createMemoryTree(now);
  return { files: memoryStore(tree), scanner: memoryScanner(tree) };
}

function memoryStore(tree: MemoryTree): FileStore {
  const write: FileStore['write'] = async (path, bytes, options) => {
    const whole = await wholeOf(bytes);
    const folder = folderOf(safePath(path));
    if (options?.newFolder && tree.kindOf(folder) !== undefined) throw exists(folder);
    if (options?.ifAbsent && tree.kindOf(path) !== undefined) throw exists(path);
    if (tree.kindOf(path) === 'folder') throw notAFile(path);
    if (options?.onlyOver && !isStill(tree, path, options.onlyOver)) throw changed(path);
    makeFolders(tree, folder);
    tree.put(path, whole);
    return fileOf(tree, path);
  };
  const list: FileStore['list'] = async (folder) => {
    const kind = tree.kindOf(safeFolder(folder));
    if (kind === undefined) throw notFound(folder);
    if (kind === 'file') throw new FilesError('not_a_folder', folder, `"${folder}" is a file`);
    return tree.entries(folder).filter(({ name }) => !isTemporaryName(name));
  };
  return {
    describe: async () => ({ kind: 'memory' }),
    probe: async () => {},
    stat: async (path) => statOf(tree, safePath(path)),
    read: async (path) => readFrom(tree, path),
    open: async (path) => {
      const bytes = readFrom(tree, path);
      return {
        stat: fileOf(tree, path),
        stream: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
          Readable.from(bytes.length === 0 ? [] : [bytes.subarray(start, end + 1)]),
        close() {},
      };
    },
    locate: async () => undefined,
    write,
    writeMany: (files) => writeEach(write, files),
    move: async (from, to) => {
      if (safePath(to).startsWith(`${safePath(from)}/`)) {
        throw new FilesError('bad_path', to, `"${from}" cannot be moved into itself ("${to}")`);
      }
      if (tree.kindOf(from) === undefined) throw notFound(from);
      makeFolders(tree, folderOf(to));
      if (tree.kindOf(to) !== undefined) throw exists(to);
      tree.rename(from, to);
    },
    remove: async (path) => {
      if (tree.kindOf(safePath(path)) === undefined) throw notFound(path);
      tree.remove(path);
    },
    removeOnly: async (path, bytes) => {
      if (!isStill(tree, path, bytes)) throw changed(path);
      tree.remove(path);
    },
    removeEmptyFolder: async (folder) => {
      if (tree.kindOf(safePath(folder)) !== 'folder' || tree.entries(folder).length > 0) return false;
      tree.remove(folder);
      return true;
    },
    list,
    cleanTemporaryFiles: async () => 0,
  };
}

const isStill = (tree: MemoryTree, path: string, seen: Uint8Array | FileStat): boolean =>
  seen instanceof Uint8Array
    ? Buffer.compare(readFrom(tree, path), seen) === 0
    : isSameFile(fileOf(tree, path), seen);

async function wholeOf(content: FileContent): Promise<Uint8Array> {
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return Uint8Array.from(content);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

function memoryScanner(tree: MemoryTree): FileScanner {
  return {
    scan: ({ under = '' } = {}) => walk(tree, safeFolder(under)),
    readSync: (path) => readFrom(tree, path),
    digestSync(path, headBytes) {
      const bytes = readFrom(tree, path);
      return { sha256: sha256Hex(bytes), head: bytes.subarray(0, headBytes) };
    },
    statSync: (path) => statOf(tree, safePath(path)),
    rootExists: () => true,
  };
}

function* walk(tree: MemoryTree, under: string): Generator<ScanBatch> {
  if (under !== '' && under.split('/').some(isHiddenName)) return;
  const files: FileStat[] = [];
  const visit = (path: string) => {
    if (tree.kindOf(path) === 'file') files.push(fileOf(tree, path));
    if (tree.kindOf(path) !== 'folder') return;
    for (const { name } of tree.entries(path)) {
      if (!isHiddenName(name)) visit(joinPath(path, name));
    }
  };
  visit(under);
  for (let at = 0; at < files.length; at += 500) yield { files: files.slice(at, at + 500), skipped: [] };
}

function makeFolders(tree: MemoryTree, folder: string): void {
  if (folder === '') return;
  makeFolders(tree, folderOf(folder));
  const kind = tree.kindOf(folder);
  if (kind === 'file') throw new FilesError('not_a_folder', folder, `"${folder}" is a file, not a folder`);
  if (kind === undefined) tree.putFolder(folder);
}

function statOf(tree: MemoryTree, path: string): FileStat | undefined {
  return tree.kindOf(path) === 'file' ? fileOf(tree, path) : undefined;
}

function readFrom(tree: MemoryTree, path: string): Uint8Array {
  const kind = tree.kindOf(safePath(path));
  if (kind === undefined) throw notFound(path);
  if (kind === 'folder') throw notAFile(path);
  return Uint8Array.from(tree.get(path)?.bytes ?? []);
}

function fileOf(tree: MemoryTree, path: string): FileStat {
  const file = tree.get(path);
  if (file === undefined) throw notFound(path);
  const { bytes, mtimeMs, ctimeMs, ino } = file;
  return { path, size: bytes.length, mtimeMs, ctimeMs, ino };
}

function notFound(path: string): FilesError {
  return new FilesError('not_found', path, `there is no "${path}"`);
}

function exists(path: string): FilesError {
  return new FilesError('exists', path, `"${path}" exists already`);
}

function changed(path: string): FilesError {
  return new FilesError('changed', path, `"${path}" has other bytes by now`);
}

function notAFile(path: string): FilesError {
  return new FilesError('not_a_file', path, `"${path}" is not a regular file`);
}
