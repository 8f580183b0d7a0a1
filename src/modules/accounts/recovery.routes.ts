import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { EmailVerification } from './email-verification.service.ts';
import {
  forgotPassword,
  resendVerification,
  resendVerificationPublic,
  verifyEmail,
} from './recovery.contract.ts';

/** One answer for every address: it tells nobody who has an account. */
const ON_ITS_WAY = { message: 'If there is such an account, a mail is on its way' };

export interface RecoveryRoutesOptions {
  requestReset: (address: string) => Promise<void>;
  verification: EmailVerification;
}

export const recoveryRoutes = ({ requestReset, verification }: RecoveryRoutesOptions): Route[] => [
  route(forgotPassword, async ({ body }) => {
    await requestReset(body.email);
    return ON_ITS_WAY;
  }),
  route(verifyEmail, async ({ query }) => {
    const { email, emailVerified } = await verification.verify(query.token);
    return { message: 'The address is verified', email, email_verified: emailVerified };
  }),
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
