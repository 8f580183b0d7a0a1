import { FilesError, type FilesErrorCode } from '../files.ts';

const explained: Record<string, readonly [FilesErrorCode, string]> = {
  EACCES: [
    'no_permission',
    'the service may not touch it; check the owner and mode of the file and its folder',
  ],
  EDQUOT: ['no_space', 'the disk quota is used up'],
  EEXIST: ['exists', 'something with this name already exists'],
  EFBIG: ['no_space', 'it is larger than the file system admits'],
  EINVAL: ['bad_path', 'the system refuses this path'],
  EISDIR: ['not_a_file', 'it is a folder'],
  ELOOP: ['not_a_file', 'it is a symbolic link, and links are not followed'],
  ENAMETOOLONG: ['bad_path', 'its name is too long for the file system'],
  ENOENT: ['not_found', 'there is no such file or folder'],
  ENOSPC: ['no_space', 'the disk is full'],
  ENOTDIR: ['not_a_folder', 'a part of it that should be a folder is none'],
  ENOTEMPTY: ['exists', 'something with this name already exists'],
  ENXIO: ['not_a_file', 'it is not a regular file'],
  EPERM: ['no_permission', 'the system does not permit this'],
  EROFS: ['read_only', 'the file system is mounted read-only'],
};

/** `doing` is a verb phrase such as `write`. */
export function filesError(error: unknown, doing: string, path: string): FilesError {
  if (error instanceof FilesError) return error;
  const errno = errnoOf(error);
  const [code, reason] = explained[errno ?? ''] ?? ['io', `the system reports ${errno ?? String(error)}`];
  return new FilesError(code, path, `cannot ${doing} "${path}": ${reason}`, { cause: error });
}

/** Such as `ENOENT`. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function absent(path: string): FilesError {
  return new FilesError('not_found', path, `there is no "${path}"`);
}

export function notAFile(path: string): FilesError {
  return new FilesError('not_a_file', path, `"${path}" is not a regular file; links are not followed`);
}

export function tooLarge(path: string, most: number): FilesError {
  return new FilesError('too_large', path, `"${path}" has more than ${most} bytes`);
}

export function targetChanged(path: string): FilesError {
  return new FilesError('changed', path, `"${path}" has other bytes by now`);
}

export function targetMissing(path: string): FilesError {
  return new FilesError('not_found', path, `there is no "${path}"`);
}

export function targetExists(path: string): FilesError {
  return new FilesError('exists', path, `"${path}" exists already`);
}
