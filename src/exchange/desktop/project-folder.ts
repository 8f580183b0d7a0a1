import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isProjectId } from '../../kit/contract.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { isWithin } from '../../text/paths.ts';
import { isSystemFolder } from './system-folders.ts';

const refusedPath = (detail: string, code = 'invalid_path') =>
  invalid(detail, { code, errors: [{ field: 'path', message: detail }] });

/**
 * Resolves links. 422 if the folder is missing, is no folder, or cannot be read and written. With `mayBeNew` the last part
 * of the path may be missing.
 */
export async function realFolder(path: string, { mayBeNew }: { mayBeNew: boolean }): Promise<string> {
  if (!isAbsolute(path)) throw refusedPath(`'${path}' is not an absolute path: send one that begins with /`);
  const real = await realpath(path).catch(() => null);
  if (real === null && mayBeNew) {
    const parent = await realpath(dirname(path)).catch(() => null);
    if (parent !== null) return requireOwn(join(parent, basename(path)));
  }
  if (real === null) throw refusedPath(`There is no folder ${path}`, 'no_such_folder');
  if (!(await stat(real)).isDirectory()) throw refusedPath(`${path} is not a folder`);
  requireOwn(real);
  await access(real, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw refusedPath(`${path} cannot be read and written by this program: change its permissions`);
  });
  return real;
}

function requireOwn(folder: string): string {
  if (!isSystemFolder(folder)) return folder;
  throw refusedPath(`${folder} belongs to the system, or to more than one world: choose a folder of its own`);
}

const overlaps = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

/** Refuses a folder with the service's own files or another project's: two would change it. */
export function requireApart(
  folder: string,
  others: { own: string; projects: readonly { projectId: string; folder: string }[] },
): void {
  if (overlaps(folder, others.own))
    throw refusedPath(`${folder} contains Canonry's own files, or is inside them: choose another folder`);
  const other = others.projects.find((each) => overlaps(folder, each.folder));
  if (other)
    throw conflict(
      `${folder} overlaps with the folder of the project '${other.projectId}', ${other.folder}: of two that share files, each would see the other's`,
      { code: 'folders_overlap' },
    );
}

/** A project name derived from the folder's. 422 if that is impossible. */
export function nameOf(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 64);
  if (isProjectId(name)) return name;
  throw invalid(`No name can be made of '${basename(folder)}': send one as name, such as my-world`, {
    code: 'name_needed',
    errors: [{ field: 'name', message: 'is needed for a folder of this name' }],
  });
}
