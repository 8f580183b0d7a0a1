import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { page } from './oauth.contract.ts';

const TAG = 'Sign-in by provider';
export const DESKTOP_SIGN_IN_PATH = '/api/auth/desktop/authorize';

/** The parameters of OAuth for native apps (RFC 8252): PKCE with S256 and a loopback redirect. */
const authorization = {
  ...page,
  auth: 'none',
  tag: TAG,
  query: Type.Object({
    redirect_uri: Type.String({
      maxLength: 200,
      description:
        'Where the install listens: `http://127.0.0.1:{port}/callback` or `http://[::1]:{port}/callback`',
    }),
    state: Type.String({ pattern: '^[A-Za-z0-9_-]{16,256}$', description: 'Comes back as it was sent' }),
    code_challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: "The S256 challenge of the install's PKCE verifier (RFC 7636)",
    }),
    code_challenge_method: Type.Literal('S256'),
    client: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'What people know the computer by; shown to them',
      }),
    ),
  }),
  errors: [403, 503],
  example: {
    query: {
      redirect_uri: 'http://127.0.0.1:49152/callback',
      state: 'pWv1Yk0aXq7Zb3c5dEfGhA',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      client: 'mara-laptop',
    },
  },
} as const;

export const showDesktopSignIn = contract(`GET ${DESKTOP_SIGN_IN_PATH}`, {
  ...authorization,
  name: 'showDesktopSignIn',
  status: 200,
  summary: 'The page on which somebody signs a desktop install in',
  description:
    'The install opens it in the browser. Whoever agrees there is sent to `redirect_uri` with `code` and `state`, whoever refuses with `error=access_denied`; `POST /api/auth/oauth/exchange` takes the code within a minute together with the verifier.',
});

export const decideDesktopSignIn = contract(`POST ${DESKTOP_SIGN_IN_PATH}`, {
  ...authorization,
  name: 'decideDesktopSignIn',
  summary: 'What the form of that page sends',
  description: 'Pages of other sites cannot send it.',
  limit: 'login',
  stream: {
    mediaType: 'application/x-www-form-urlencoded',
    description: '`decision`, and for whoever is not signed in `email` and `password`',
  },
  bodyLimit: 8 * 1024,
});
