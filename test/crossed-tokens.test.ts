import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { startAccounts } from './support/accounts.ts';
import { startPeople } from './support/people.ts';

const PASSWORD = 'another long pass phrase';
/** Longer tokens than a place takes are refused for their length. */
const LONGEST_SHORT = 128;
const REFUSALS = [401, 414, 422];

/** Where a token is accepted, with the name of the valid one. */
interface Door {
  takes: readonly string[];
  request(token: string): InjectOptions;
}

interface SessionNames {
  access: string;
  refresh: string;
}

const post = (url: string, payload: object): InjectOptions => ({ method: 'POST', url, payload });
const bearing = (method: 'GET' | 'POST', url: string, token: string): InjectOptions => ({
  method,
  url,
  headers: { authorization: `Bearer ${token}` },
});
const withCookie = (method: 'GET' | 'POST', url: string, name: string, token: string): InjectOptions => ({
  method,
  url,
  headers: { cookie: `${name}=${token}` },
});

const doorsOfCore: Record<string, Door> = {
  'an access token': {
    takes: ['access', 'api key'],
    request: (token) => bearing('GET', '/api/auth/me', token),
  },
  'a refresh token': {
    takes: ['refresh'],
    request: (token) => post('/api/auth/refresh', { refresh_token: token }),
  },
  'an invitation': {
    takes: ['invite'],
    request: (token) => post('/api/auth/accept-invite', { token, password: PASSWORD }),
  },
};

const doorsOfAccounts = (cookies: SessionNames): Record<string, Door> => ({
  'an access token': doorsOfCore['an access token'] as Door,
  'the cookie of a session': {
    takes: ['access'],
    request: (token) => withCookie('GET', '/api/auth/web/session', cookies.access, token),
  },
  'a refresh token': doorsOfCore['a refresh token'] as Door,
  'a refresh token in the header': {
    takes: ['refresh'],
    request: (token) => ({ method: 'POST', url: '/api/auth/refresh', headers: { 'x-refresh-token': token } }),
  },
  'a refresh token in the cookie': {
    takes: ['refresh'],
    request: (token) => withCookie('POST', '/api/auth/refresh', cookies.refresh, token),
  },
  'a link that verifies': {
    takes: ['verification'],
    request: (token) => ({ method: 'POST', url: `/api/auth/verify?token=${encodeURIComponent(token)}` }),
  },
  'an invitation to look at': {
    takes: ['invite'],
    request: (token) => ({ method: 'GET', url: `/api/auth/validate-invite/${encodeURIComponent(token)}` }),
  },
  'an invitation': {
    takes: ['invite'],
    request: (token) => post('/api/auth/register-with-invite', { token, password: PASSWORD }),
  },
  'the code of a sign-in': {
    takes: [],
    request: (token) => post('/api/auth/oauth/exchange', { code: token.slice(0, 128) }),
  },
  'a call of another surface': {
    takes: ['service'],
    request: (token) => ({
      ...bearing('POST', '/internal/storage-oauth/google/exchange', token),
      payload: {
        user_id: 'nobody',
        code: 'x',
        redirect_uri: 'https://core.example/',
        code_verifier: 'v'.repeat(43),
      },
    }),
  },
  // Last: it ends the sessions and keys of the other tokens' owner.
  'a token for a new password': {
    takes: ['reset'],
    request: (token) => post('/api/auth/reset-password', { token, new_password: PASSWORD }),
  },
});

/** Each token is valid at its own door and nowhere else; valid uses come after the refusals. */
function testDoors(app: FastifyInstance, doors: Record<string, Door>, tokens: Record<string, string>): void {
  for (const [name, { takes, request }] of Object.entries(doors)) {
    test(`no other token passes for ${name}`, async () => {
      const statusOf = async (token: string) => (await app.inject(request(token))).statusCode;
      for (const [kind, token] of Object.entries(tokens)) {
        assert.ok(token.length > 10, kind);
        if (takes.includes(kind)) continue;
        const status = await statusOf(token);
        assert.ok(
          token.length > LONGEST_SHORT ? REFUSALS.includes(status) : status === 401,
          `${kind}: ${status}`,
        );
      }
      for (const kind of takes) {
        const status = await statusOf(tokens[kind] ?? '');
        assert.ok(![401, 403, 422].includes(status), `${kind} itself: ${status}`);
      }
    });
  }
}

async function coreTokens() {
  const core = await startPeople();
  after(() => core.close());
  const { body } = await core.login(core.cast.owner.email);
  const bodyOf = async (path: string, payload: object) =>
    JSON.parse((await core.ask(core.cast.owner, 'POST', path, payload)).text) as {
      key: string;
      token: string;
    };
  const tokens = {
    access: body.access_token,
    refresh: body.refresh_token,
    'api key': (await bodyOf('/api/api-keys', { name: 'a program' })).key,
    invite: (await bodyOf('/api/invites', { email: 'ben@example.com', role: 'editor' })).token,
  };
  return { app: core.app, tokens };
}

async function accountsTokens() {
  const accounts = await startAccounts();
  after(() => accounts.close());
  const { email, tenantId } = accounts.first;
  const verification = tokenIn(await accounts.mailTo(email));
  await accounts.ask('POST', '/api/auth/forgot-password', { body: { email } });
  const reset = tokenIn(await accounts.mailTo(email, 2));
  await accounts.tenants.changePlan(tenantId, 'team');
  const { access_token: access, refresh_token: refresh } = (await accounts.login(email)).body;
  const made = await accounts.ask('POST', '/api/api-keys', { token: access, body: { name: 'a program' } });
  const invited = { email: 'ben@example.com', role: 'editor' };
  const invite = (await accounts.ask('POST', '/api/auth/create-invite', { token: access, body: invited }))
    .body;
  const tokens = {
    access,
    refresh,
    'api key': (JSON.parse(made.text) as { key: string }).key,
    invite: invite.token,
    verification,
    reset,
    service: accounts.serviceToken,
  };
  return { app: accounts.app, tokens, cookies: accounts.cookies };
}

const tokenIn = (mail: string): string => {
  const link = /http:\/\/\S+/.exec(mail)?.[0] ?? '';
  return new URL(link).searchParams.get('token') ?? '';
};

const [core, accounts] = [await coreTokens(), await accountsTokens()];
describe('core', () => testDoors(core.app, doorsOfCore, core.tokens));
describe('accounts', () => testDoors(accounts.app, doorsOfAccounts(accounts.cookies), accounts.tokens));
describe('tokens of one surface at another', () => {
  testDoors(
    accounts.app,
    { 'a token of the accounts service': { takes: [], request: bearingMe } },
    core.tokens,
  );
  testDoors(core.app, { 'a token of the core': { takes: [], request: bearingMe } }, accounts.tokens);
});

function bearingMe(token: string): InjectOptions {
  return bearing('GET', '/api/auth/me', token);
}
