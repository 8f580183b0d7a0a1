import { conflict, HttpError, invalid, notFound, tooLarge, unavailable } from '../kit/errors.ts';
import { BlobsError } from '../platform/blobs/blobs.ts';
import { DatabaseError } from '../platform/database/database.ts';
import { FilesError } from '../platform/files/files.ts';
import { KeyValueUnavailable } from '../platform/kv/kv.ts';
import { MailError } from '../platform/mail/mail.ts';
import { OAuthError } from '../platform/oauth/oauth.ts';

function replyForFiles(error: FilesError): HttpError {
  switch (error.code) {
    case 'exists':
      return conflict(`${error.path} is there already`, { code: 'exists' });
    case 'changed':
      return conflict(`${error.path} was changed at the same time: try again`, { code: 'changed_meanwhile' });
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

function replyForBlobs({ code, message }: BlobsError): HttpError {
  switch (code) {
    case 'not_found':
      return notFound(message);
    case 'bad_range':
      return new HttpError(416, message, { code });
    case 'incomplete':
    case 'bad_key':
      return invalid(message, { code });
    case 'too_large':
      return tooLarge(message, { code });
    case 'conflict':
      return conflict(message, { code });
    case 'unavailable':
    case 'no_space':
      return unavailable(`${message}; try again soon`);
    default:
      return conflict(`${message}. Look at the storage settings`, { code });
  }
}

/** Turns errors of ports into replies: an outage is a temporary 503, never a 500. Returns null for other errors. */
export function translateError(error: unknown): HttpError | null {
  if (error instanceof FilesError) return replyForFiles(error);
  if (error instanceof BlobsError) return replyForBlobs(error);
  if (error instanceof DatabaseError)
    return unavailable(
      `${error.message}. ${error.code === 'in_doubt' ? 'Look before you try again' : 'Nothing was changed; try again soon'}`,
    );
  if (error instanceof MailError) return unavailable(`${error.message}; try again later`, 60);
  if (error instanceof OAuthError && error.code === 'unavailable')
    return unavailable('The provider does not answer; try again soon');
  if (error instanceof KeyValueUnavailable) return unavailable('The cache does not answer; try again soon');
  return null;
}
