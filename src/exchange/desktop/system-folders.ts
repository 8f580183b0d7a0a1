import { homedir } from 'node:os';

/** System folders including everything below; in lower case, since some systems ignore case. */
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

/** Folders shared by many users and programs: a subfolder can be a project. */
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

/** True for the system's folders and for a whole home folder. The path must be free of links. */
export function isSystemFolder(folder: string): boolean {
  const path = folder.replaceAll('\\', '/').toLowerCase();
  const plain = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (SHARED.has(plain) || plain === homedir().toLowerCase()) return true;
  return WHOLE.some((each) => plain === each || plain.startsWith(`${each}/`));
}
