import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Mail, Mailer } from '../../platform/mail/mail.ts';
import { normalisedEmail, type User, type Users } from '../users/index.ts';
import type { CountAttempt } from './attempts.ts';
import type { PasswordReset, PasswordResets } from './password-resets.service.ts';

export interface PasswordResetMailOptions {
  resets: Pick<PasswordResets, 'make'>;
  mailer: Mailer;
  /** Returns the address of the page that accepts the token, if there is one. */
  linkFor?: (token: string) => string;
}

export const createPasswordResetMail =
  ({ resets, mailer, linkFor }: PasswordResetMailOptions) =>
  async (user: User): Promise<void> =>
    mailer.send(letterFor(user, await resets.make(user), linkFor));

export interface PasswordResetRequestsOptions {
  users: Users;
  send: (user: User) => Promise<void>;
  log: Log;
  countAttempt: CountAttempt;
}

/** Sends a token to an address with an open account. Result and time are the same for any other address; only the log shows it. */
export const createPasswordResetRequests =
  ({ users, send, log, countAttempt }: PasswordResetRequestsOptions) =>
  async (address: string): Promise<void> => {
    const email = normalisedEmail(address);
    await countAttempt('mail', email);
    const found = await users.findByEmail(email);
    if (!found?.user.isActive) return;
    const { user } = found;
    send(user).catch((error: unknown) =>
      log.error(`the mail for a new password of user ${user.userId} was not sent: ${messageOf(error)}`),
    );
  };

const letterFor = (
  user: User,
  { token, expiresAt }: PasswordReset,
  linkFor?: (token: string) => string,
): Mail => ({
  to: user.email,
  subject: 'A new password for Canonry',
  text: `Somebody, probably you, asked for a new password for the account ${user.email}.

This token is good once, until ${expiresAt}:

${token}
${linkFor ? `\nOr choose the new password here:\n\n${linkFor(token)}\n` : ''}
If it was not you, do nothing: your password is as it was.
`,
});
