import { Type } from 'typebox';
import { ANY_NAME, contract } from '../../kit/contract.ts';
import { Email } from '../auth/auth.contract.ts';

const TAG = 'Passwords and addresses';
const Message = Type.Object({ message: Type.String() });
const onItsWay = { message: 'If there is such an account, a mail is on its way' };

export const forgotPassword = contract('POST /api/auth/forgot-password', {
  name: 'forgotPassword',
  auth: 'none',
  tag: TAG,
  summary: 'Ask for a mail with which to choose a new password',
  description: 'Answers alike, and as soon, whether there is such an account or not.',
  body: Type.Object({ email: Email }),
  reply: Message,
  limit: 'login',
  example: { body: { email: 'mara@example.com' }, reply: onItsWay },
});

const Verified = Type.Object({
  message: Type.String(),
  email: Type.String(),
  email_verified: Type.Boolean(),
});

const verification = {
  auth: 'none',
  tag: TAG,
  query: Type.Object({ token: Type.String({ minLength: 1, maxLength: 4000 }) }),
  // Mail programs append parameters to links, and the page's form posts to the same address.
  otherQuery: ANY_NAME,
  reply: Verified,
  errors: [401, 403],
  limit: 'login',
} as const;
const token = 'cnrv_WyI1ZDFjOWQ1NiJd.Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q';

export const showVerification = contract('GET /api/auth/verify', {
  ...verification,
  name: 'showVerification',
  summary: 'The page that the link of a mail opens',
  description:
    'Changes nothing, since mail scanners follow links too. A browser gets a page with a button that sends the token by POST; programs get the state as JSON.',
  example: {
    query: { token },
    reply: {
      message: 'Send the token by POST to verify the address',
      email: 'mara@example.com',
      email_verified: false,
    },
  },
});

export const verifyEmail = contract('POST /api/auth/verify', {
  ...verification,
  name: 'verifyEmail',
  summary: 'Verify an address with the token of a mail',
  description:
    'The token stands in the query; there is no body. The same token may be sent twice. The token of a registration makes the account.',
  stream: { mediaType: 'application/x-www-form-urlencoded', description: 'Nothing', isOptional: true },
  bodyLimit: 1024,
  example: {
    query: { token },
    reply: { message: 'The address is verified', email: 'mara@example.com', email_verified: true },
  },
});

export const resendVerification = contract('POST /api/auth/resend-verification', {
  name: 'resendVerification',
  auth: 'bearer',
  tag: TAG,
  summary: "Send the mail that verifies one's address again",
  reply: Message,
  errors: [503],
  limit: 'login',
  example: { reply: { message: 'A mail is on its way' } },
});

export const resendVerificationPublic = contract('POST /api/auth/resend-verification-public', {
  name: 'resendVerificationPublic',
  auth: 'none',
  tag: TAG,
  summary: 'The same without being signed in',
  description: 'Answers alike, and as soon, whether there is such an account or not.',
  body: Type.Object({ email: Email }),
  reply: Message,
  limit: 'login',
  example: { body: { email: 'mara@example.com' }, reply: onItsWay },
});
