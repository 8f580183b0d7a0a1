import { createHmac } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import { equalSecrets } from '../../kit/crypto.ts';
import { messageOf, unauthorized } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { CountAttempt } from '../auth/index.ts';
import { normalisedEmail, type User, type Users, userNotFound } from '../users/index.ts';
import { verificationMail } from './mails.ts';

const LIFETIME_MS = 3 * 24 * 3_600_000;
const FORM = /^cnrv_([\w-]{1,1000})\.([\w-]{43})$/;

export interface EmailVerificationOptions {
  users: Users;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  countAttempt: CountAttempt;
  /** Signs the tokens. */
  secret: string;
  /** Base address of links in mail. */
  publicUrl: string;
}

/**
 * Verifies that an address belongs to the person who entered it, by a signed token in a mail (spec 1 §5). Nothing is stored, so the
 * mail may be sent twice. Opening the link changes nothing, since mail scanners open links too.
 */
export function createEmailVerification(options: EmailVerificationOptions) {
  const { users, mailer, clock, log, countAttempt, secret, publicUrl } = options;
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

  function tokenFor({ userId, email }: User): string {
    const claims = Buffer.from(JSON.stringify([userId, email, clock.now() + LIFETIME_MS])).toString(
      'base64url',
    );
    return `cnrv_${claims}.${sign(claims)}`;
  }

  function claimsOf(token: string): { userId: string; email: string } | null {
    const [, claims = '', signature = ''] = FORM.exec(token) ?? [];
    if (!equalSecrets(sign(claims), signature)) return null;
    const [userId, email, until]: [string, string, number] = JSON.parse(
      Buffer.from(claims, 'base64url').toString('utf8'),
    );
    return until > clock.now() ? { userId, email } : null;
  }

  const send = (user: User): Promise<void> =>
    mailer.send(verificationMail(user.email, `${publicUrl}/api/auth/verify?token=${tokenFor(user)}`));

  /** Sends in the background, so that neither the time nor the result reveals anything. */
  function ask(user: User): void {
    send(user).catch((error: unknown) =>
      log.error(`the mail to verify the address of user ${user.userId} was not sent: ${messageOf(error)}`),
    );
  }

  return {
    ask,

    /** The user whose address a token would verify. Errors as for `verify`. */
    async look(token: string): Promise<User> {
      const claims = claimsOf(token);
      const user = claims && (await users.findById(claims.userId));
      if (user?.email !== claims?.email || !user) throw badVerificationToken();
      return user;
    },

    /** 401 with the same message for a token that is unknown, expired or for a former address of the account. */
    async verify(token: string): Promise<User> {
      const claims = claimsOf(token);
      const user = claims && (await users.verifyEmail(claims.userId, claims.email));
      if (!user) throw badVerificationToken();
      return user;
    },

    /** Sends another mail; returns true if one was needed. */
    async resend(userId: string): Promise<boolean> {
      const user = await users.findById(userId);
      if (user === null) throw userNotFound(userId);
      if (user.emailVerified) return false;
      await countAttempt('mail', user.email);
      await send(user);
      return true;
    },

    /** The same without a sign-in; the result and its time are the same for every address. */
    async resendTo(address: string): Promise<void> {
      const email = normalisedEmail(address);
      await countAttempt('mail', email);
      const found = await users.findByEmail(email);
      if (found?.user.isActive && !found.user.emailVerified) ask(found.user);
    },
  };
}

export type EmailVerification = ReturnType<typeof createEmailVerification>;

export const badVerificationToken = () =>
  unauthorized('The link is invalid or no longer valid: ask for a new one', {
    code: 'invalid_verification_token',
  });
