import { HttpError } from '../../kit/errors.ts';
import { FilesError, isDiskFailure } from '../../platform/files/files.ts';

/** Why one item was refused. Rethrows errors that concern more than this item. */
export function refusalOf(error: unknown): { code: string; detail: string } {
  // After a failure of the disk the push is aborted and sent again later.
  if (error instanceof FilesError && !isDiskFailure(error))
    return { code: error.code, detail: error.message };
  if (!(error instanceof HttpError) || error.status >= 500) throw error;
  // It changed between the check and the deletion.
  const code = error.status === 412 ? 'changed' : (error.extras.code ?? 'refused');
  return { code, detail: error.message };
}
