import { homedir } from 'node:os';

/** Folders of the system, with all that lies in them; in lower case, since some systems know no other. */
const WHOLE = [
  '/bin',
  '/boot',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/sbin',
  '/sys',
  '/usr',
  '/applications',
  '/library',
  '/private/etc',
  '/system',
  'c:/program files',
  'c:/program files (x86)',
  'c:/programdata',
  'c:/windows',
];

/** Folders that hold those of many people and programs: a folder in one of them can be a project. */
const SHARED = new Set([
  '/',
  '/dev',
  '/dev/shm',
  '/home',
  '/media',
  '/mnt',
  '/opt',
  '/private',
  '/private/tmp',
  '/private/var',
  '/root',
  '/run',
  '/srv',
  '/tmp',
  '/users',
  '/var',
  '/volumes',
  'c:',
  'c:/users',
]);

/** Whether a folder, given by its path without links, is the system's or somebody's whole home. */
export function isSystemFolder(folder: string): boolean {
  const path = folder.replaceAll('\\', '/').toLowerCase();
  const plain = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (SHARED.has(plain) || plain === homedir().toLowerCase()) return true;
  return WHOLE.some((each) => plain === each || plain.startsWith(`${each}/`));
}
