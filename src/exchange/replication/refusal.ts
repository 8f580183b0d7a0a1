import { HttpError } from '../../kit/errors.ts';
import { FilesError, type FilesErrorCode } from '../../platform/files/files.ts';

/** Problems of the disk rather than of one file: the push is aborted and sent again later. */
const DISK_FAILURES: readonly FilesErrorCode[] = ['io', 'no_space', 'read_only', 'root_missing'];

/** Why one item was refused. Rethrows errors that concern more than this item. */
export function refusalOf(error: unknown): { code: string; detail: string } {
  if (error instanceof FilesError && !DISK_FAILURES.includes(error.code))
    return { code: error.code, detail: error.message };
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  // It changed between the check and the deletion.
  const code = error.status === 412 ? 'changed' : (error.extras.code ?? 'refused');
  return { code, detail: error.message };
}
