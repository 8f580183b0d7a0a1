import { badRequest, conflict, forbidden, HttpError, invalid, notFound } from '../../kit/errors.ts';
import type { DriveError } from '../../platform/drive/drive.ts';

/** Seconds, where the drive asked for no pause of its own. */
const PAUSE = 30;

export const notConnected = (detail: string, upgradeUrl: string) =>
  conflict(detail, { code: 'not_connected', body: { upgrade_url: upgradeUrl } });

export const noFolderConnected = () =>
  conflict('No folder of a drive is connected to this project: choose one first', {
    code: 'no_folder_connected',
  });

export const missingScope = (upgradeUrl: string) =>
  forbidden('Your consent does not let Canonry write files in your drive: open `upgrade_url` to give it', {
    code: 'insufficient_scope',
    body: { upgrade_url: upgradeUrl },
  });

/** The answer to the caller after a failure at the drive. */
export function driveFailure(error: DriveError, upgradeUrl: string): HttpError {
  const { code, message } = error;
  switch (code) {
    case 'revoked':
      return notConnected(message, upgradeUrl);
    case 'scope':
      return missingScope(upgradeUrl);
    case 'forbidden':
      return forbidden(message, { code: 'drive_forbidden' });
    case 'not_found':
      return notFound(message, { code: 'no_such_file' });
    case 'exists':
      return conflict(message, { code: 'file_exists' });
    case 'invalid_token':
      return badRequest('The page token is not accepted any more: list from the beginning', {
        code: 'invalid_page_token',
      });
    case 'quota':
      return conflict(message, { code: 'quota_exceeded' });
    case 'refused':
      return invalid(message, { code: 'drive_refused' });
    case 'limited':
    case 'unavailable':
      return new HttpError(503, message, {
        code: code === 'limited' ? 'drive_limited' : 'drive_unavailable',
        headers: { 'retry-after': String(error.retryAfter ?? PAUSE) },
      });
  }
}
