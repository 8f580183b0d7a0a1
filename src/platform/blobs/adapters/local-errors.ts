import { BlobsError, type BlobsErrorCode } from '../blobs.ts';

const EXPLAINED: Record<string, readonly [BlobsErrorCode, string]> = {
  EACCES: ['denied', 'The service may not touch the folder of the storage; check its owner and mode'],
  EDQUOT: ['no_space', 'The disk quota is used up'],
  EEXIST: ['conflict', 'An object of the storage stands where a folder is needed'],
  EISDIR: ['conflict', 'A folder of the storage has the name of this object'],
  ENAMETOOLONG: ['bad_key', "An object's key is too long for the file system"],
  ENOENT: ['not_found', 'There is no such object'],
  ENOSPC: ['no_space', 'The disk is full'],
  ENOTDIR: ['conflict', 'An object of the storage stands where a folder is needed'],
  ENOTEMPTY: ['conflict', 'A folder of the storage has the name of this object'],
  ELOOP: ['denied', 'An object of the storage is a symbolic link; links are not followed'],
  EPERM: ['denied', 'The system does not permit this in the folder of the storage'],
  EROFS: ['denied', 'The file system of the storage is mounted read-only'],
};

export function localError(error: unknown): BlobsError {
  if (error instanceof BlobsError) return error;
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const [kind, message] = EXPLAINED[code] ?? ['unavailable', `The folder of the storage fails (${code})`];
  return new BlobsError(kind, message, { cause: error });
}
