import { isSystemName } from '../../content/paths/index.ts';
import { FilesError } from './files.ts';

const temporaryName = /^\.canonry-[0-9a-z]+\.tmp$/;

/** Throws `bad_path` unless `path` stays below the root on every system. */
export function safePath(path: string): string {
  const problem = problemOf(path);
  if (problem !== undefined) {
    throw new FilesError('bad_path', path, `"${path}" is not a path inside the content folder: ${problem}`);
  }
  return path;
}

/** Also allows `''` for the root. */
export function safeFolder(path: string): string {
  return path === '' ? path : safePath(path);
}

/** No separator, no NUL, not `.` or `..`, and valid UTF-8. */
export function isSafeName(name: string): boolean {
  return problemOf(name) === undefined && !name.includes('/');
}

export function isTemporaryName(name: string): boolean {
  return name.startsWith('.') && temporaryName.test(name);
}

/** Such entries are never content: walks and watchers skip them. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || isSystemName(name);
}

/** `''` is the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** `''` is the root. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function problemOf(path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (path.includes('\0')) return 'it holds a NUL character';
  if (path.includes('\\')) return 'it holds a backslash; folders are separated by /';
  if (path.includes('\ufffd')) return 'it is not valid UTF-8';
  if (path.startsWith('/')) return 'it is absolute';
  for (const part of path.split('/')) {
    if (part === '') return 'it has an empty part';
    if (part === '.' || part === '..') return `it has the part "${part}"`;
  }
  return undefined;
}
