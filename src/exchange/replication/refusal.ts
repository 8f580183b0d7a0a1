import { HttpError } from '../../kit/errors.ts';
import { FilesError, type FilesErrorCode } from '../../platform/files/files.ts';

/** What is wrong with the disk and not with one file: nothing more is taken, and the push is sent again later. */
const DISK_FAILURES: readonly FilesErrorCode[] = ['io', 'no_space', 'read_only', 'root_missing'];

/** Why one entity or file was not taken. Throws on what is wrong with more than this one. */
export function refusalOf(error: unknown): { code: string; detail: string } {
  if (error instanceof FilesError && !DISK_FAILURES.includes(error.code))
    return { code: error.code, detail: error.message };
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  // Somebody else changed it between the look and the deletion.
  const code = error.status === 412 ? 'changed' : (error.extras.code ?? 'refused');
  return { code, detail: error.message };
}
