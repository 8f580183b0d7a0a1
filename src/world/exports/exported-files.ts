import { type FileStore, FilesError } from '../../platform/files/files.ts';
import { RECYCLE_ROOT } from '../texts/index.ts';
import type { ZipSource } from './zip-writer.ts';

const isLeftOut = (path: string): boolean => path === RECYCLE_ROOT || /(?:^|\/)\.[^/]*$/.test(path);

/** True for errors of a file that an editor removed or replaced since its folder was listed. */
const isGone = (error: unknown): boolean =>
  error instanceof FilesError && ['not_found', 'not_a_file', 'outside'].includes(error.code);

/** A file of the content, opened in its turn; null if it is gone by then. */
async function sourceOf(files: FileStore, path: string): Promise<ZipSource | null> {
  const file = await files.open(path).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  return file && { path, size: file.stat.size, modifiedMs: file.stat.mtimeMs, stream: () => file.stream() };
}

/** Yields every file of a content folder in the order of paths, except hidden ones, the recycle bin and those paths. */
export async function* filesOf(
  files: FileStore,
  except: ReadonlySet<string>,
  folder = '',
): AsyncGenerator<ZipSource> {
  const entries = await files.list(folder).catch((error: unknown) => {
    if (folder !== '' && isGone(error)) return [];
    throw error;
  });
  for (const { name, kind } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (isLeftOut(path) || except.has(path)) continue;
    if (kind === 'folder') yield* filesOf(files, except, path);
    const source = kind === 'file' ? await sourceOf(files, path) : null;
    if (source !== null) yield source;
  }
}
