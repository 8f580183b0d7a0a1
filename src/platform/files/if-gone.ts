import { FilesError } from './files.ts';

/** For what a call on files threw: undefined where nothing is there, or no more; anything else is thrown on. */
export function ifGone(error: unknown): undefined {
  if (error instanceof FilesError && error.code === 'not_found') return undefined;
  throw error;
}
