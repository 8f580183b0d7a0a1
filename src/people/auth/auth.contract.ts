import { Type } from 'typebox';
import { contract, optionalBody } from '../../kit/contract.ts';
import { CurrentUser, userExample } from '../users/users.contract.ts';

const TAG = 'Auth';
const tokens = {
  access_token: Type.String({ description: 'Send it as `Authorization: Bearer …`' }),
  refresh_token: Type.String({ description: 'Good for one use and 30 days' }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds until the access token runs out' }),
  user: CurrentUser,
};
export const TokenResponse = Type.Object(tokens);

export const Email = Type.String({ minLength: 1, maxLength: 320 });
export const Password = Type.String({ minLength: 1, maxLength: 1024 });
export const RefreshToken = Type.String({ minLength: 1, maxLength: 512 });

export const refreshExample = 'cnr_0o3kq0e5VqHqkUqXQ0vJYw.1.Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q';
export const tokenExample = {
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…',
  refresh_token: refreshExample,
  token_type: 'bearer',
  expires_in: 900,
  user: userExample,
};
export const loginExample = { email: 'mara@example.com', password: 'a long pass phrase' };

export const authContracts = {
  jwks: contract('GET /api/auth/.well-known/jwks.json', {
    name: 'jwks',
    auth: 'none',
    tag: TAG,
    summary: 'Public keys of the access tokens',
    description: 'A self-hosted core signs with a shared secret (HS256), so the set is empty.',
    reply: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
    example: { reply: { keys: [] } },
  }),
  register: contract('POST /api/auth/register', {
    name: 'register',
    auth: 'none',
    tag: TAG,
    summary: 'Create an account and sign in',
    description:
      'The first account becomes admin and owner. Whether others may register, as viewers, is the setting REGISTRATION.',
    body: Type.Object({
      email: Email,
      password: Password,
      display_name: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    reply: TokenResponse,
    status: 201,
    errors: [403, 409, 503],
    example: { body: { ...loginExample, display_name: 'Mara' }, reply: tokenExample },
  }),
  login: contract('POST /api/auth/login', {
    name: 'login',
    auth: 'none',
    tag: TAG,
    summary: 'Sign in',
    body: Type.Object({ email: Email, password: Password }),
    reply: TokenResponse,
    errors: [401, 503],
    limit: 'login',
    example: { body: loginExample, reply: tokenExample },
  }),
  refresh: contract('POST /api/auth/refresh', {
    name: 'refresh',
    auth: 'refresh',
    tag: TAG,
    summary: 'Exchange a refresh token for new tokens',
    description:
      'The token comes in the body, in the header `X-Refresh-Token` or in the cookie of a web login, in this order. For the cookie the new refresh token is a cookie too and not in the body. Each token is good once; a second use within 20 seconds gets the same successor, a later one ends the session.',
    body: optionalBody({ refresh_token: Type.Optional(RefreshToken) }),
    reply: Type.Object({
      ...tokens,
      refresh_token: Type.Optional(Type.String({ description: 'Absent for a session of cookies' })),
    }),
    errors: [401],
    example: { body: { refresh_token: refreshExample }, reply: tokenExample },
  }),
  logout: contract('POST /api/auth/logout', {
    name: 'logout',
    auth: 'refresh',
    tag: TAG,
    summary: 'Sign out',
    description:
      'Ends the session of the access token and that of the refresh token, which comes as for `POST /api/auth/refresh`. Each of them is enough: a refresh token signs out also when the access token has run out or is not sent. Cookies count, and end, where neither the header nor the body has a token. An API key has no session to end: 401.',
    body: optionalBody({ refresh_token: Type.Optional(Type.String({ maxLength: 512 })) }),
    reply: Type.Object({ message: Type.String() }),
    errors: [401],
    example: { body: { refresh_token: refreshExample }, reply: { message: 'Signed out' } },
  }),
  me: contract('GET /api/auth/me', {
    name: 'me',
    auth: 'bearer',
    tag: TAG,
    summary: 'Who is signed in',
    reply: CurrentUser,
    example: { reply: userExample },
  }),
};
