import { Type } from 'typebox';
import { PLAN_NAMES } from '../../access/plans.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';
import { Email, loginExample, Password, RefreshToken, refreshExample } from '../auth/auth.contract.ts';
import { CurrentUser, DisplayName, userExample } from '../users/users.contract.ts';

const TAG = 'Accounts';

const entitled = {
  user_id: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  plan: Type.Enum([...PLAN_NAMES]),
  tier: Type.Integer({ description: 'Grows with the plan; gate on `features`, not on it' }),
  tier_id: Type.String(),
  features: Type.Array(Type.String()),
};
const bearer = {
  access_token: Type.String({ description: 'Send it as `Authorization: Bearer …`; good for 15 minutes' }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token runs out' }),
};

/** The reply to a sign-in at the accounts service (spec 1 §4.9). */
export const AccountTokens = named('AccountTokens', {
  ...bearer,
  refresh_token: Type.String({ description: 'Good for one use and 30 days' }),
  ...entitled,
});

/** The reply to a registration, without tokens: they would reveal whether the address has an account. */
export const Registered = named('Registered', {
  message: Type.String(),
  email: Type.String(),
  email_verified: Type.Literal(false),
});

export const accountTokensExample = {
  access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.…',
  refresh_token: refreshExample,
  token_type: 'bearer',
  expires_in: 900,
  user_id: userExample.user_id,
  email: userExample.email,
  display_name: userExample.display_name,
  plan: 'free',
  tier: 0,
  tier_id: 'free',
  features: ['ai_generation'],
};

const jwks = {
  auth: 'none',
  tag: TAG,
  summary: 'Public keys of the access tokens',
  description: 'The key that signs, and those before it while a token of theirs may be good.',
  reply: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
  example: {
    reply: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          kid: '3f0c2b1a',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          alg: 'EdDSA',
          use: 'sig',
        },
      ],
    },
  },
} as const;

export const getJwks = contract('GET /.well-known/jwks.json', { ...jwks, name: 'getJwks' });
export const getAuthJwks = contract('GET /api/auth/.well-known/jwks.json', {
  ...jwks,
  name: 'getAuthJwks',
});

export const registerAccount = contract('POST /api/auth/register', {
  name: 'registerAccount',
  auth: 'none',
  tag: TAG,
  summary: 'Register, with a tenant of one’s own',
  description:
    'The first account of an installation is made and signed in at once. For everybody else the answer is 202, alike whether the address has an account or not: a mail leads on. The button behind its link makes the account, on the free plan and owner of its tenant; then sign in. Whether people may register is the setting REGISTRATION.',
  body: Type.Object({
    email: Email,
    password: Password,
    display_name: Type.Optional(DisplayName),
    tenant_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  reply: AccountTokens,
  status: 201,
  accepted: Registered,
  errors: [403, 503],
  limit: 'login',
  example: {
    body: { ...loginExample, display_name: 'Mara', tenant_name: 'Studio Mara' },
    reply: accountTokensExample,
  },
});

export const loginAccount = contract('POST /api/auth/login', {
  name: 'loginAccount',
  auth: 'none',
  tag: TAG,
  summary: 'Sign in',
  body: Type.Object({ email: Email, password: Password }),
  reply: AccountTokens,
  errors: [401, 403, 503],
  limit: 'login',
  example: { body: loginExample, reply: accountTokensExample },
});

export const refreshAccount = contract('POST /api/auth/refresh', {
  name: 'refreshAccount',
  auth: 'refresh',
  tag: TAG,
  summary: 'Exchange a refresh token for new tokens',
  description:
    'The token comes in the body, in the header `X-Refresh-Token` or in the cookie of a web login, in this order. For the cookie the new refresh token is a cookie too and not in the body. Each token is good once; a second use within 20 seconds gets the same successor, a later one ends the session.',
  body: optionalBody({ refresh_token: Type.Optional(RefreshToken) }),
  reply: Type.Object({
    ...bearer,
    refresh_token: Type.Optional(Type.String({ description: 'Absent for a session of cookies' })),
    ...entitled,
  }),
  example: { body: { refresh_token: refreshExample }, reply: accountTokensExample },
});

export const logoutAccount = contract('POST /api/auth/logout', {
  name: 'logoutAccount',
  auth: 'refresh',
  tag: TAG,
  summary: 'Sign out',
  description:
    'Ends the session of the access token and that of the refresh token, which comes as for `POST /api/auth/refresh`. Each of them is enough: a refresh token signs out also when the access token has run out or is not sent. Cookies count, and end, where neither the header nor the body has a token. An API key has no session to end: 401.',
  body: optionalBody({ refresh_token: Type.Optional(RefreshToken) }),
  reply: Type.Object({ message: Type.String() }),
  errors: [401],
  example: { body: { refresh_token: refreshExample }, reply: { message: 'Signed out' } },
});

export const getAccount = contract('GET /api/auth/me', {
  name: 'getAccount',
  auth: 'bearer',
  tag: TAG,
  summary: 'Who is signed in, with their tenant and what its plan holds',
  reply: Type.Object({
    ...CurrentUser.properties,
    tenant_name: Type.String(),
    subscription_tier: Type.String({ description: "The plan's name" }),
    tenant_deletes_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the tenant goes with all it has, where an owner asked for it',
    }),
  }),
  example: {
    reply: {
      ...userExample,
      tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
      plan: 'free',
      tier: 0,
      tier_id: 'free',
      features: ['ai_generation'],
      tenant_name: 'Studio Mara',
      subscription_tier: 'free',
      tenant_deletes_at: null,
    },
  },
});
