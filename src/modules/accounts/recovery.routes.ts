import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../../kit/errors.ts';
import { asksForPage } from '../../kit/http/asks-for-page.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Reply, type Route, route } from '../../kit/route.ts';
import type { EmailVerification } from './email-verification.service.ts';
import {
  forgotPassword,
  resendVerification,
  resendVerificationPublic,
  showVerification,
  verifyEmail,
} from './recovery.contract.ts';
import { expiredPage, verificationPage } from './verification.page.ts';

/** One answer for every address: it tells nobody who has an account. */
const ON_ITS_WAY = { message: 'If there is such an account, a mail is on its way' };

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

/** The state, as a page where a browser asks. */
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
}

export const recoveryRoutes = ({ requestReset, verification }: RecoveryRoutesOptions): Route[] => [
  route(forgotPassword, async ({ body }) => {
    await requestReset(body.email);
    return ON_ITS_WAY;
  }),
  route(showVerification, ({ query, headers }) =>
    answered(headers, async () => {
      const { email, emailVerified } = await verification.look(query.token);
      if (emailVerified) return VERIFIED(email);
      const message = 'Send the token by POST to verify the address';
      return { message, email, email_verified: false };
    }),
  ),
  route(verifyEmail, ({ query, headers }) =>
    answered(headers, async () => VERIFIED((await verification.verify(query.token)).email)),
  ),
  route(resendVerification, async (request) => ({
    message: (await verification.resend(callerOf(request).userId))
      ? 'A mail is on its way'
      : 'The address is verified already',
  })),
  route(resendVerificationPublic, async ({ body }) => {
    await verification.resendTo(body.email);
    return ON_ITS_WAY;
  }),
];
