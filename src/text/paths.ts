/** The last part of a path with slashes. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The path without its last part; `''` is the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** True for the folder itself too. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
