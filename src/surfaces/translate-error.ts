import { conflict, type HttpError, notFound, unavailable } from '../kit/errors.ts';
import { DatabaseError } from '../platform/database/database.ts';
import { FilesError } from '../platform/files/files.ts';
import { KeyValueUnavailable } from '../platform/kv/kv.ts';

/** The reply for a failed file operation: nothing was changed. */
function replyForFiles(error: FilesError): HttpError {
  switch (error.code) {
    case 'exists':
      return conflict(`${error.path} is there already`, { code: 'exists' });
    case 'not_found':
      return notFound(error.message);
    case 'no_space':
      return unavailable(`The disk is full: ${error.path} was not changed`, 30);
    case 'bad_path':
    case 'outside':
    case 'not_a_file':
    case 'not_a_folder':
      return conflict(error.message, { code: error.code });
    case 'read_only':
    case 'no_permission':
      return conflict(`${error.message}. Nothing was changed; make the content folder writable`, {
        code: error.code,
      });
    default:
      return unavailable(error.message);
  }
}

/** Errors of ports as replies: what is down is a 503 that heals, never a 500. Null for anything else. */
export function translateError(error: unknown): HttpError | null {
  if (error instanceof FilesError) return replyForFiles(error);
  if (error instanceof DatabaseError)
    return unavailable(`${error.message}. Nothing was changed; try again soon`);
  if (error instanceof KeyValueUnavailable) return unavailable('The cache does not answer; try again soon');
  return null;
}
