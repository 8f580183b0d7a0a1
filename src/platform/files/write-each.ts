import { type FileStat, type FileStore, FilesError, type FileWrite } from './files.ts';
import { folderOf } from './paths.ts';

const AT_ONCE = 16;

/** `writeMany` for stores where files share nothing: a few at a time. */
export async function writeEach(
  store: Pick<FileStore, 'write' | 'list'>,
  files: readonly FileWrite[],
): Promise<PromiseSettledResult<FileStat>[]> {
  const results: PromiseSettledResult<FileStat>[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const part = files.slice(at, at + AT_ONCE);
    results.push(...(await Promise.allSettled(part.map((file) => writeOne(store, file)))));
  }
  return results;
}

async function writeOne(
  { write, list }: Pick<FileStore, 'write' | 'list'>,
  { path, content, newFolder, ...options }: FileWrite,
): Promise<FileStat> {
  if (newFolder && (await isThere(list, folderOf(path))))
    throw new FilesError('exists', path, `the folder of "${path}" exists already`);
  return write(path, content, options);
}

const isThere = (list: FileStore['list'], folder: string): Promise<boolean> =>
  list(folder).then(
    () => true,
    (error: unknown) => {
      if (error instanceof FilesError && error.code === 'not_found') return false;
      throw error;
    },
  );
