import fs, { type Dirent } from 'node:fs';
import { nameOf } from '../../../text/paths.ts';
import { type FileScanner, FilesError, type ScanBatch } from '../files.ts';
import { folderOf, isHiddenName, isSafeName, joinPath, safeFolder, safePath } from '../paths.ts';
import { systemCalls } from '../syscalls.ts';
import { errnoOf, filesError } from './local-errors.ts';
import { createDigest, fileStat, readWhole } from './local-read.ts';
import { createLocalRoot, type LocalRoot } from './local-root.ts';

const batchSize = 500;

/** Walks and reads with synchronous calls, which are the fastest, so only a worker thread may use it. */
export function createLocalScanner({ root: rootPath }: { root: string }): FileScanner {
  const root = createLocalRoot(rootPath, systemCalls);
  const batchFolders = new Set<string>();

  const statSync: FileScanner['statSync'] = (path) => {
    try {
      const stats = systemCalls.lstatSync(root.entry(safePath(path)));
      return stats?.isFile() ? fileStat(path, stats) : undefined;
    } catch (error) {
      const known = filesError(error, 'look at', path);
      if (known.code === 'not_found' || known.code === 'not_a_folder') return undefined;
      throw known;
    }
  };

  const digest = createDigest(systemCalls);
  let checked: { folder: string; real: string } | undefined;

  /** Files of one folder come one after another, so its path is checked once for all of them. */
  const placeOf = (path: string): string => {
    const folder = folderOf(safePath(path));
    if (batchFolders.has(folder)) return root.absolute(path);
    if (checked?.folder !== folder) checked = { folder, real: root.folder(folder) };
    return joinPath(checked.real, nameOf(path));
  };

  function reading<Result>(path: string, work: (absolute: string) => Result): Result {
    try {
      return work(placeOf(path));
    } catch (error) {
      checked = undefined;
      throw filesError(error, 'read', path);
    }
  }

  return {
    statSync,
    scan: ({ under = '' } = {}) => {
      checked = undefined;
      return walk(root, safeFolder(under), { statSync, batchFolders });
    },
    readSync: (path) => reading(path, (absolute) => readWhole(systemCalls, absolute, path)),
    digestSync: (path, headBytes) => reading(path, (absolute) => digest(absolute, path, headBytes)),
    rootExists: () => {
      try {
        fs.opendirSync(rootPath).closeSync();
        return true;
      } catch {
        return false;
      }
    },
  };
}

interface WalkParts {
  statSync: FileScanner['statSync'];
  /** Just seen not to be links, so reading in them needs no second check. */
  batchFolders: Set<string>;
}

function* walk(root: LocalRoot, under: string, { statSync, batchFolders }: WalkParts): Generator<ScanBatch> {
  if (under !== '' && under.split('/').some(isHiddenName)) return;
  const start = startOf(root, under, statSync);
  let batch = start.batch;
  const folders = start.folders;
  try {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      batchFolders.add(folder);
      visit(root, folder, folders, batch);
      if (batch.files.length + batch.skipped.length >= batchSize) {
        yield batch;
        batch = { files: [], skipped: [] };
        batchFolders.clear();
      }
    }
    if (batch.files.length + batch.skipped.length > 0) yield batch;
  } finally {
    batchFolders.clear();
  }
}

function startOf(root: LocalRoot, under: string, statSync: FileScanner['statSync']) {
  const batch: ScanBatch = { files: [], skipped: [] };
  if (under === '') {
    root.folder('');
    return { batch, folders: [''] };
  }
  const stat = statSync(under);
  if (stat !== undefined) batch.files.push(stat);
  const stats = fs.lstatSync(root.absolute(under), { throwIfNoEntry: false });
  return { batch, folders: stats?.isDirectory() ? [under] : [] };
}

function visit(root: LocalRoot, folder: string, folders: string[], batch: ScanBatch): void {
  const absolute = root.absolute(folder);
  for (const entry of entriesOf(absolute, folder, batch)) {
    const { name } = entry;
    if (isHiddenName(name)) continue;
    const path = joinPath(folder, name);
    if (!isSafeName(name)) batch.skipped.push({ path, reason: 'bad_name' });
    else if (entry.isDirectory()) folders.push(path);
    else if (entry.isFile()) addFile(`${absolute}/${name}`, path, batch);
    else batch.skipped.push({ path, reason: entry.isSymbolicLink() ? 'symlink' : 'not_a_regular_file' });
  }
}

function entriesOf(absolute: string, folder: string, batch: ScanBatch): Dirent[] {
  try {
    return fs.readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    if (folder === '') {
      throw new FilesError('root_missing', '', 'the content folder cannot be listed', { cause: error });
    }
    // The folder vanished after its parent was listed; with any other reason its content is unknown.
    if (errnoOf(error) !== 'ENOENT') batch.skipped.push({ path: folder, reason: 'unreadable' });
    return [];
  }
}

function addFile(absolute: string, path: string, batch: ScanBatch): void {
  try {
    const stats = fs.lstatSync(absolute, { throwIfNoEntry: false });
    if (stats?.isFile()) batch.files.push(fileStat(path, stats));
  } catch {
    batch.skipped.push({ path, reason: 'unreadable' });
  }
}
