import { conflict, type HttpError, unavailable } from '../../kit/errors.ts';
import { FilesError } from '../../platform/files/files.ts';

function replyFor(error: FilesError): HttpError {
  switch (error.code) {
    case 'no_space':
      return unavailable(`The disk is full: ${error.path} was not changed`, 30);
    case 'io':
    case 'root_missing':
      return unavailable(error.message);
    case 'no_permission':
    case 'read_only':
      return conflict(`${error.message}. Make the content folder writable and try again`, {
        code: error.code,
      });
    default:
      return conflict(error.message, { code: error.code });
  }
}

/** Runs work on files; what the file system refuses becomes a reply that says what to do. */
export async function withFileReplies<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FilesError ? replyFor(error) : error;
  }
}
