import { HttpError, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { OAuthError } from '../../platform/oauth/oauth.ts';

/** Failures of an OAuth flow with their texts for people; redirects carry the code as `error`. */
export const OUTCOMES = {
  invalid_state:
    'This sign-in has expired, was used already, or was begun in another browser. Please start again.',
  access_denied: 'The access was not granted.',
  provider_refused: 'The provider did not confirm who you are. Please start again.',
  provider_unavailable: 'The provider does not answer at the moment. Please try again later.',
  email_unverified: 'The provider has not verified your e-mail address. Verify it there, then sign in again.',
  invite_other_address:
    'The invitation is for another address than the provider gave us. Sign in with the invited address, or ask for a new invitation.',
  account_closed: 'This account is closed. Ask an admin to open it again.',
  session_ended: 'Your session has ended since you began. Sign in, then start again.',
  other_account: 'You are signed in with another account than the one that began. Please start again.',
  server_error: 'Something went wrong here. Please try again later.',
} as const;

export type OutcomeCode = keyof typeof OUTCOMES;

/** A failure that the person may see. */
export class OutcomeError extends Error {
  readonly code: OutcomeCode;

  constructor(code: OutcomeCode) {
    super(OUTCOMES[code]);
    this.name = 'OutcomeError';
    this.code = code;
  }
}

const PROVIDER_OUTCOMES = {
  denied: 'access_denied',
  refused: 'provider_refused',
  unavailable: 'provider_unavailable',
} as const;

/** Translates the parameter `error` of the provider's redirect. */
export const outcomeOfAnswer = (error: string): OutcomeError =>
  new OutcomeError(error === 'access_denied' ? 'access_denied' : 'provider_refused');

/** The code for any thrown error; unexpected ones are logged and become `server_error`. */
export function codeOf(error: unknown, log: Log): string {
  if (error instanceof OutcomeError) return error.code;
  if (error instanceof OAuthError) {
    log.warn(`a provider's answer: ${error.message}${reasonOf(error)}`);
    return PROVIDER_OUTCOMES[error.code];
  }
  if (error instanceof HttpError && error.status < 500) return error.extras.code ?? 'server_error';
  log.error(`a sign-in by a provider failed: ${error instanceof Error ? error.stack : messageOf(error)}`);
  return 'server_error';
}

const reasonOf = ({ cause }: OAuthError): string => (cause === undefined ? '' : ` (${messageOf(cause)})`);
