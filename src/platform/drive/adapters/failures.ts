import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../kit/clock.ts';
import { cutAfter } from '../../../text/cut.ts';
import { isMap } from '../../../text/json.ts';
import { DriveError, type DriveErrorCode } from '../drive.ts';

/** One try that failed. `together`: the drive asks for fewer requests, so the others wait too. */
export interface Failure {
  error: DriveError;
  retry: 'never' | 'alone' | 'together';
}

const MOST_SHOWN = 300;

const MESSAGES: Record<DriveErrorCode, string> = {
  revoked: 'Google Drive does not accept the connection any more. Connect the account again',
  scope: 'The connection to Google Drive does not include this. Connect the account again and allow it',
  forbidden: 'Google Drive does not allow the account to do this',
  not_found: 'Google Drive does not have this file, or Canonry may not see it',
  exists: 'Google Drive already has a file with this id',
  invalid_token: 'Google Drive cannot continue from here any more',
  quota: 'There is no more room at Google Drive',
  limited: 'Google Drive gets too many requests. Try again later',
  refused: 'Google Drive refused the request',
  unavailable: 'Google Drive cannot be reached at the moment. Try again later',
};

/** Of a status 403. */
const REASONS: Readonly<Record<string, Pick<Failure, 'retry'> & { code: DriveErrorCode; message?: string }>> =
  {
    rateLimitExceeded: { code: 'limited', retry: 'together' },
    userRateLimitExceeded: { code: 'limited', retry: 'together' },
    sharingRateLimitExceeded: { code: 'limited', retry: 'never' },
    dailyLimitExceeded: { code: 'limited', retry: 'never' },
    insufficientPermissions: { code: 'scope', retry: 'never' },
    insufficientScopes: { code: 'scope', retry: 'never' },
    ACCESS_TOKEN_SCOPE_INSUFFICIENT: { code: 'scope', retry: 'never' },
    storageQuotaExceeded: { code: 'quota', retry: 'never' },
    teamDriveFileLimitExceeded: { code: 'quota', retry: 'never' },
    numChildrenInNonRootLimitExceeded: {
      code: 'quota',
      retry: 'never',
      message: 'The folder at Google Drive is full',
    },
    activeItemCreationLimitExceeded: { code: 'quota', retry: 'never' },
    exportSizeLimitExceeded: {
      code: 'refused',
      retry: 'never',
      message: 'The document is too large: Google Drive exports at most 10 MB',
    },
    fileNotDownloadable: {
      code: 'refused',
      retry: 'never',
      message: 'The document has no bytes of its own: export it instead',
    },
  };

export const failed = (
  code: DriveErrorCode,
  retry: Failure['retry'],
  options: ConstructorParameters<typeof DriveError>[2] & { message?: string | undefined } = {},
): Failure => ({ error: new DriveError(code, options.message ?? MESSAGES[code], options), retry });

/** A request without an answer, or one that broke off. */
export const lost = (cause: unknown): Failure => failed('unavailable', 'alone', { cause });

export interface FailedAnswer {
  status: number;
  /** As far as it is JSON. */
  body: unknown;
  retryAfter?: number | undefined;
  /** The request continued with a page token. */
  isPage: boolean;
}

export function failureOf({ status, body, retryAfter, isPage }: FailedAnswer): Failure {
  const options = retryAfter === undefined ? {} : { retryAfter };
  const { reasons, locations, message } = detailsIn(body);
  if (status === 401) return failed('revoked', 'never');
  if (status === 429) return failed('limited', 'together', options);
  if (status === 403) {
    const known = reasons.map((reason) => REASONS[reason]).find((each) => each !== undefined);
    return known
      ? failed(known.code, known.retry, { ...options, message: known.message })
      : failed('forbidden', 'never', { message: withDetail('forbidden', message) });
  }
  const isOfPage = isPage || locations.includes('pageToken');
  if (isOfPage && (status === 400 || status === 410)) return failed('invalid_token', 'never');
  if (status === 404 || status === 410) return failed('not_found', 'never');
  if (status === 409) return failed('exists', 'never');
  if (status >= 400 && status < 500 && status !== 408)
    return failed('refused', 'never', { message: withDetail('refused', message) });
  const cause = new Error(`status ${status}`);
  // A redirect is not followed, and would not be another one next time.
  return failed('unavailable', status >= 300 && status < 400 ? 'never' : 'alone', { ...options, cause });
}

const withDetail = (code: DriveErrorCode, detail: string): string =>
  detail === '' ? MESSAGES[code] : `${MESSAGES[code]}: ${detail}`;

/** The older form of errors has `errors`, the newer one `details`. */
function detailsIn(body: unknown) {
  const error = isMap(body) && isMap(body.error) ? body.error : {};
  const listed = [error.errors, error.details].flatMap((each) => (Array.isArray(each) ? each : []));
  const textsOf = (name: string) =>
    listed.flatMap((each) => (isMap(each) && typeof each[name] === 'string' ? [each[name]] : []));
  const message = typeof error.message === 'string' ? error.message : '';
  return {
    reasons: textsOf('reason'),
    locations: textsOf('location'),
    message: cutAfter(withoutParameters(message), MOST_SHOWN),
  };
}

const withoutParameters = (text: string): string => text.replaceAll(/(https?:\/\/[^\s?#]*)[?#]\S*/g, '$1');

/** Whole seconds; undefined if the drive asks for none. */
export function retryAfterOf({ headers }: IncomingMessage, clock: Clock): number | undefined {
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - clock.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
