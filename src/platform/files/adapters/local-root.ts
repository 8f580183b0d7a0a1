import { nameOf } from '../../../text/paths.ts';
import { FilesError } from '../files.ts';
import { ifGone } from '../if-gone.ts';
import { folderOf, joinPath } from '../paths.ts';
import type { Syscalls } from '../syscalls.ts';
import { errnoOf, filesError, targetExists } from './local-errors.ts';

/** No symbolic link may lie between the root and the entry. */
export interface LocalRoot {
  /** Unchecked. */
  absolute(path: string): string;
  /** Throws `not_found`, `not_a_folder`, `outside` or `root_missing`. */
  folder(folder: string): string;
  /** Cheaper than a failed attempt. The folder must exist. */
  isAbsent(path: string): boolean;
  /** Creates missing folders below the root and calls `made` for each. */
  madeFolder(folder: string, made: (folder: string) => void): string;
  /** The same for a folder that must not exist yet. */
  newFolder(folder: string, made: (folder: string) => void): string;
  /** The folder must exist; the entry itself is not checked. */
  entry(path: string): string;
}

export function createLocalRoot(
  root: string,
  syscalls: Pick<Syscalls, 'realpathSync' | 'mkdirSync' | 'lstatSync'>,
): LocalRoot {
  const absolute = (path: string) => (path === '' ? root : `${root}/${path}`);

  let base: string | undefined;

  const realRoot = () => {
    try {
      base = syscalls.realpathSync(root);
      return base;
    } catch (error) {
      const message = 'the content folder is missing or cannot be reached; is its disk mounted?';
      throw new FilesError('root_missing', '', message, { cause: error });
    }
  };

  const unlinked = (folder: string, real: string) => {
    // The second check is for a root that is a link and was changed to another target.
    if (real === below(base ?? realRoot(), folder) || real === below(realRoot(), folder)) return real;
    throw new FilesError(
      'outside',
      folder,
      `"${folder}" is reached through a link, and links are not followed`,
    );
  };

  const folder = (path: string) => {
    if (path === '') return realRoot();
    try {
      return unlinked(path, syscalls.realpathSync(absolute(path)));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') realRoot();
      throw filesError(error, 'open', path);
    }
  };

  const isAbsent = (path: string) =>
    path !== '' &&
    syscalls.lstatSync(absolute(path)) === undefined &&
    syscalls.lstatSync(absolute(folderOf(path)))?.isDirectory() === true;

  const newFolder = (path: string, made: (folder: string) => void): string => {
    if (path === '') throw targetExists(path);
    const place = `${madeFolder(folderOf(path), made)}/${nameOf(path)}`;
    try {
      syscalls.mkdirSync(place);
    } catch (error) {
      throw filesError(error, 'make the folder', path);
    }
    made(path);
    return place;
  };

  const madeFolder = (path: string, made: (folder: string) => void): string => {
    try {
      if (!isAbsent(path)) return folder(path);
    } catch (error) {
      ifGone(error);
    }
    try {
      return newFolder(path, made);
    } catch (error) {
      // The same folder created by another writer is as good; a dangling link fails the check.
      if (error instanceof FilesError && error.code === 'exists') return folder(path);
      throw error;
    }
  };

  return {
    absolute,
    folder,
    isAbsent,
    madeFolder,
    newFolder,
    entry: (path) => joinPath(folder(folderOf(path)), nameOf(path)),
  };
}

function below(base: string, folder: string): string {
  return base.endsWith('/') ? base + folder : `${base}/${folder}`;
}
