import { type HttpError, unavailable } from '../kit/errors.ts';
import { replyForFiles } from '../modules/entities/entity-files.ts';
import { DatabaseError } from '../platform/database/database.ts';
import { FilesError } from '../platform/files/files.ts';
import { KeyValueUnavailable } from '../platform/kv/kv.ts';

/** Errors of ports as replies: what is down is a 503 that heals, never a 500. Null for anything else. */
export function translateError(error: unknown): HttpError | null {
  if (error instanceof FilesError) return replyForFiles(error);
  if (error instanceof DatabaseError)
    return unavailable(`${error.message}. Nothing was changed; try again soon`);
  if (error instanceof KeyValueUnavailable) return unavailable('The cache does not answer; try again soon');
  return null;
}
