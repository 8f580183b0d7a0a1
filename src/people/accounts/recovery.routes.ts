import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../../kit/errors.ts';
import { asksForPage } from '../../kit/http/asks-for-page.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Reply, type Route, route } from '../../kit/route.ts';
import { badVerificationToken, type EmailVerification } from './email-verification.service.ts';
import {
  forgotPassword,
  resendVerification,
  resendVerificationPublic,
  showVerification,
  verifyEmail,
} from './recovery.contract.ts';
import { isRegistrationToken, type Registrations } from './registration.service.ts';
import { expiredPage, verificationPage } from './verification.page.ts';

/** The same reply for every address, so that it does not reveal who has an account. */
const MAIL_SENT = { message: 'If there is such an account, a mail is on its way' };

interface State {
  message: string;
  email: string;
  email_verified: boolean;
}

const VERIFIED = (email: string): State => ({
  message: 'The address is verified',
  email,
  email_verified: true,
});

/** The state as JSON, or as a page for a browser. */
async function answered(headers: IncomingHttpHeaders, state: () => Promise<State>): Promise<State | Reply> {
  if (!asksForPage(headers)) return state();
  try {
    return verificationPage(await state());
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
    return expiredPage(error.message);
  }
}

export interface RecoveryRoutesOptions {
  requestReset: (address: string) => Promise<void>;
  verification: EmailVerification;
  registrations: Registrations;
}

export function recoveryRoutes(options: RecoveryRoutesOptions): Route[] {
  const { requestReset, verification, registrations } = options;

  /** The address that a mailed token is about, of an existing account or of one still to be created. */
  async function look(token: string): Promise<{ email: string; isVerified: boolean }> {
    if (!isRegistrationToken(token)) {
      const { email, emailVerified } = await verification.look(token);
      return { email, isVerified: emailVerified };
    }
    const found = await registrations.look(token);
    if (found === null) throw badVerificationToken();
    return { email: found.email, isVerified: found.user?.emailVerified === true };
  }

  async function confirm(token: string): Promise<string> {
    const user = isRegistrationToken(token)
      ? await registrations.confirm(token)
      : await verification.verify(token);
    if (user === null) throw badVerificationToken();
    return user.email;
  }

  return [
    route(forgotPassword, async ({ body }) => {
      await requestReset(body.email);
      return MAIL_SENT;
    }),
    route(showVerification, ({ query, headers }) =>
      answered(headers, async () => {
        const { email, isVerified } = await look(query.token);
        if (isVerified) return VERIFIED(email);
        const message = 'Send the token by POST to verify the address';
        return { message, email, email_verified: false };
      }),
    ),
    route(verifyEmail, ({ query, headers }) =>
      answered(headers, async () => VERIFIED(await confirm(query.token))),
    ),
    route(resendVerification, async (request) => ({
      message: (await verification.resend(callerOf(request).userId))
        ? 'A mail is on its way'
        : 'The address is verified already',
    })),
    route(resendVerificationPublic, async ({ body }) => {
      await verification.resendTo(body.email);
      return MAIL_SENT;
    }),
  ];
}
