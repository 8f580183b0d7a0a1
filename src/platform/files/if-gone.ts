import { FilesError } from './files.ts';

/** Undefined for `not_found`; any other error is thrown again. */
export function ifGone(error: unknown): undefined {
  if (error instanceof FilesError && error.code === 'not_found') return undefined;
  throw error;
}
