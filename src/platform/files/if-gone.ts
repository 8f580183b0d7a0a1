import { FilesError } from './files.ts';

/** Returns undefined for a `not_found` error of a call on files; throws any other error again. */
export function ifGone(error: unknown): undefined {
  if (error instanceof FilesError && error.code === 'not_found') return undefined;
  throw error;
}
