import { BlobsError, type BlobsErrorCode } from '../../blobs/blobs.ts';
import { FilesError, type FilesErrorCode } from '../files.ts';

const CODES: Partial<Record<BlobsErrorCode, FilesErrorCode>> = {
  bad_credentials: 'no_permission',
  bad_key: 'bad_path',
  denied: 'no_permission',
  no_bucket: 'root_missing',
  no_space: 'no_space',
  not_found: 'not_found',
};

/** `doing` is a verb phrase such as `write`. */
export function blobFilesError(error: unknown, doing: string, path: string): FilesError {
  if (error instanceof FilesError) return error;
  const isStored = error instanceof BlobsError;
  const reason = isStored ? error.message : String(error);
  const code = (isStored && CODES[error.code]) || 'io';
  return new FilesError(code, path, `cannot ${doing} ${named(path)}: ${reason}`, { cause: error });
}

/** The content folder itself has no path. */
const named = (path: string): string => (path === '' ? 'the content' : `"${path}"`);

export async function explainedBy<Result>(
  doing: string,
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw blobFilesError(error, doing, path);
  }
}

export const isAbsent = (error: unknown): boolean =>
  error instanceof BlobsError && error.code === 'not_found';
