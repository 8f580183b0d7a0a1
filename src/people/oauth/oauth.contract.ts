import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';
import { AccountTokens, accountTokensExample } from '../accounts/accounts.contract.ts';

const TAG = 'Sign-in by provider';

export const providerParams = Type.Object({
  provider: Type.String({ pattern: '^[a-z]{1,40}$', description: '`google` or `github`' }),
});
export const ReturnTo = Type.Optional(
  Type.String({
    maxLength: 2048,
    description:
      'Where to go in the end: a page of this service (a path will do) or one of OAUTH_RETURN_URLS. After a failure it gets `error`',
  }),
);
/** Only the S256 method. */
const CodeChallenge = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: "The S256 challenge of the app's PKCE verifier (RFC 7636)",
  }),
);

const startQuery = Type.Object({
  return_to: ReturnTo,
  code_challenge: CodeChallenge,
  invite: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The token of an invitation to the address that the provider names',
    }),
  ),
});

/** Query parameters that providers append to the redirect; they may add more. */
export const answerQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4096 })),
  state: Type.Optional(Type.String({ maxLength: 256 })),
  error: Type.Optional(Type.String({ maxLength: 256 })),
  iss: Type.Optional(Type.String({ maxLength: 2048 })),
});

/** Routes for browsers: they reply with a redirect, or with a page that explains a failure. */
export const page = { replyType: 'text/html', status: 302, reply: Type.String() } as const;
const open = { ...page, auth: 'none', tag: TAG } as const;
const begins = { ...open, limit: 'login', errors: [404, 409, 503] } as const;
const example = { params: { provider: 'google' } };
export const exampleAnswer = { code: '4/0AbCd', state: 'x8Zp0…' };

export const listOAuthProviders = contract('GET /api/auth/oauth/providers', {
  name: 'listOAuthProviders',
  auth: 'none',
  tag: TAG,
  summary: 'Providers that people may sign in with',
  reply: Type.Object({
    providers: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        start_url: Type.String(),
        storage: Type.Boolean({ description: 'Whether files there can be connected' }),
      }),
    ),
  }),
  example: {
    reply: {
      providers: [{ id: 'google', name: 'Google', start_url: '/api/auth/oauth/google', storage: true }],
    },
  },
});

export const startOAuth = contract('GET /api/auth/oauth/{provider}', {
  ...begins,
  name: 'startOAuth',
  summary: 'Sign in with a provider',
  description:
    "Open it in the browser: it leads to the provider. For a page of this service the sign-in ends with the cookies of a web login; for every other address with `code`, which `POST /api/auth/oauth/exchange` takes within a minute together with the verifier of `code_challenge`. An account is found or made by the provider's verified address.",
  params: providerParams,
  query: startQuery,
  example: { ...example, query: { return_to: '/studio/' } },
});

export const finishOAuth = contract('GET /api/auth/oauth/{provider}/callback', {
  ...open,
  name: 'finishOAuth',
  summary: 'Where the provider sends people back',
  description: 'Register this address with the provider. The state is good once, for ten minutes.',
  params: providerParams,
  query: answerQuery,
  errors: [503],
  example: { ...example, query: exampleAnswer },
});

export const exchangeOAuth = contract('POST /api/auth/oauth/exchange', {
  name: 'exchangeOAuth',
  auth: 'none',
  tag: TAG,
  summary: 'Exchange the code of a sign-in for tokens',
  body: closed({
    code: Type.String({ minLength: 1, maxLength: 128 }),
    code_verifier: Type.Optional(
      Type.String({
        minLength: 43,
        maxLength: 128,
        description: 'Required if the sign-in started with `code_challenge`',
      }),
    ),
  }),
  reply: AccountTokens,
  errors: [401, 503],
  example: {
    body: {
      code: 'jq0zq1m2Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    reply: accountTokensExample,
  },
});

export const startMobileOAuth = contract('GET /api/auth/mobile/{provider}-initiate', {
  ...begins,
  name: 'startMobileOAuth',
  summary: 'Sign in to a mobile app with a provider (older apps)',
  description:
    'Like `GET /api/auth/oauth/{provider}`, but it leads back to an app of OAUTH_RETURN_URLS, the first unless `return_to` names one, and `code_challenge` may be left out. New apps use the other route.',
  params: providerParams,
  query: startQuery,
  example,
});

export const finishMobileOAuth = contract('GET /api/auth/mobile/{provider}-callback', {
  ...open,
  name: 'finishMobileOAuth',
  summary: 'Where the provider sends people of older mobile apps back',
  params: providerParams,
  query: answerQuery,
  errors: [503],
  example: { ...example, query: exampleAnswer },
});
