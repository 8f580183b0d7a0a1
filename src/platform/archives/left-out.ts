import { isSystemName } from '../../content/paths/index.ts';

const NAMES: ReadonlySet<string> = new Set([
  '.ds_store',
  '.fseventsd',
  '.spotlight-v100',
  '.temporaryitems',
  '.trashes',
  '.git',
  '.hg',
  '.svn',
]);

/** Systems and version control put these beside people's files; nobody means them to be part of an archive. */
export const isLeftOut = (path: string): boolean =>
  path
    .split('/')
    .some((name) => name.startsWith('._') || NAMES.has(name.toLowerCase()) || isSystemName(name));
