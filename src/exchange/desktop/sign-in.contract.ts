import { Type } from 'typebox';
import { contract, optionalBody } from '../../kit/contract.ts';
import { closed, NullableText, named } from '../../kit/schemas.ts';
import { local } from './desktop-projects.contract.ts';

const Status = named('DesktopSignIn', {
  signed_in: Type.Boolean(),
  cloud_url: NullableText,
  account: { ...NullableText, description: 'Who is signed in; null where settings say it' },
  by: Type.Union([Type.Enum(['settings', 'signed_in']), Type.Null()]),
  since: NullableText,
  ended: { ...NullableText, description: 'Why the sign-in no longer works: sign in again' },
  pending: Type.Union([Type.Object({ cloud_url: Type.String(), expires_at: Type.String() }), Type.Null()], {
    description: 'A sign-in that has begun',
  }),
});
const statusExample = {
  signed_in: true,
  cloud_url: 'https://canonry.example.com',
  account: 'mara@example.com',
  by: 'signed_in',
  since: '2026-03-02T10:15:00.000Z',
  ended: null,
  pending: null,
};

export const getSignIn = contract('GET /api/desktop/auth/status', {
  ...local,
  name: 'getSignIn',
  summary: 'Whether the install is signed in to a cloud, and as whom',
  description: 'Tokens are never shown.',
  reply: Status,
  example: { reply: statusExample },
});

export const beginSignIn = contract('POST /api/desktop/auth/login', {
  ...local,
  name: 'beginSignIn',
  summary: 'Begin to sign in to a cloud',
  description:
    'Open `authorization_url` in the browser: it ends at `redirect_uri`, where this install listens until then, for ten minutes at the most. A later one takes its place.',
  body: optionalBody({
    cloud_url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        maxLength: 500,
        description: 'The address of its web app; the one that was signed in to last unless given',
      }),
    ),
  }),
  reply: Type.Object({
    authorization_url: Type.String(),
    redirect_uri: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds until it can no longer be finished' }),
  }),
  errors: [409, 503],
  example: {
    body: { cloud_url: 'https://canonry.example.com' },
    reply: {
      authorization_url: 'https://canonry.example.com/api/auth/desktop/authorize?…',
      redirect_uri: 'http://127.0.0.1:49152/callback',
      expires_in: 600,
    },
  },
});

export const finishSignIn = contract('POST /api/desktop/auth/callback', {
  ...local,
  name: 'finishSignIn',
  summary: 'Finish a sign-in with the parameters of the address that the browser was sent to',
  description: 'For a browser that does not reach `redirect_uri`, as one on another machine. Good once.',
  body: closed({
    code: Type.String({ minLength: 1, maxLength: 512 }),
    state: Type.String({ minLength: 1, maxLength: 256 }),
  }),
  reply: Status,
  errors: [400, 401, 409, 503],
  example: {
    body: { code: 'jq0zq1m2Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m', state: 'pWv1Yk0aXq7Zb3c5dEfGhA' },
    reply: statusExample,
  },
});

export const signOut = contract('POST /api/desktop/auth/logout', {
  ...local,
  name: 'signOutOfCloud',
  summary: 'Sign out of the cloud',
  description: 'The tokens are deleted here and revoked there. Files and rows stay.',
  reply: Type.Object({
    message: Type.String(),
    revoked: Type.Boolean({
      description: 'Whether the cloud was told; if not, the tokens expire by themselves',
    }),
  }),
  errors: [409],
  example: { reply: { message: 'Signed out', revoked: true } },
});
