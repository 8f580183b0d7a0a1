import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PASSWORD, startAccounts, type TestAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const OWN = 'http://accounts.example.com';
const SESSION_KEYS = [
  'display_name',
  'email',
  'email_verified',
  'plan',
  'role',
  'tenant_id',
  'tenant_name',
  'tenant_role',
  'user',
  'user_id',
];

forEachDatabase((_name, open) => {
  describe('web sessions', () => {
    let accounts: TestAccounts;
    before(async () => {
      accounts = await startAccounts({ open, env: { CORS_ORIGINS: 'https://studio.example.com' } });
    });
    after(() => accounts.close());

    const login = (headers: Record<string, string> = {}, email = accounts.first.email) =>
      accounts.ask('POST', '/api/auth/web/login', { body: { email, password: PASSWORD }, headers });
    const setCookies = (headers: Record<string, unknown>): string[] =>
      [headers['set-cookie']].flat().map(String);
    const jarOf = (headers: Record<string, unknown>): string =>
      setCookies(headers)
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    const session = (cookie: string) => accounts.ask('GET', '/api/auth/web/session', { headers: { cookie } });

    test('a login sets cookies that no script sees and answers who it is, without a token', async () => {
      const { status, body, headers, text } = await login();
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(body).sort(), SESSION_KEYS);
      assert.doesNotMatch(text, /eyJ|cnr_/);
      const cookies = setCookies(headers);
      assert.equal(cookies.length, 2);
      for (const cookie of cookies) assert.match(cookie, /; HttpOnly;.*SameSite=Lax/);
      assert.match(cookies[0] ?? '', /^canonry_access_[0-9a-f]{8}=.*Max-Age=900; Path=\//);
      assert.match(cookies[1] ?? '', /^canonry_refresh_[0-9a-f]{8}=.*Max-Age=2592000; Path=\/api\/auth;/);
      assert.equal(headers['cache-control'], 'no-store');
      assert.deepEqual((await session(jarOf(headers))).body, body);
    });

    test('the cookie stands for a token, is renewed by the other, and ends with the logout', async () => {
      const jar = jarOf((await login()).headers);
      const me = await accounts.ask('GET', '/api/auth/me', { headers: { cookie: jar } });
      assert.equal(me.body.user_id, accounts.first.id);
      const renewed = await accounts.ask('POST', '/api/auth/refresh', {
        headers: { cookie: jar, origin: OWN },
      });
      assert.equal(renewed.status, 200);
      const next = jarOf(renewed.headers);
      const out = await accounts.ask('POST', '/api/auth/web/logout', {
        headers: { cookie: next, origin: OWN },
      });
      assert.equal(out.status, 200);
      for (const cookie of setCookies(out.headers)) assert.match(cookie, /=; Max-Age=0;/);
      for (const cookie of [jar, next]) assert.equal((await session(cookie)).status, 401);
      const refused = await accounts.ask('POST', '/api/auth/refresh', { headers: { cookie: next } });
      assert.equal(refused.status, 401);
    });

    test('a logout ends the session by the refresh token alone, once the access token has run out', async () => {
      const jar = jarOf((await login()).headers);
      accounts.clock.pass(900_000);
      assert.equal((await session(jar)).body.code, 'token_expired');
      const out = await accounts.ask('POST', '/api/auth/web/logout', { headers: { cookie: jar } });
      assert.equal(out.status, 200);
      assert.equal(
        (await accounts.ask('POST', '/api/auth/refresh', { headers: { cookie: jar } })).status,
        401,
      );
    });

    test('a sign-out with a token of its own is about that session, and leaves the browser signed in', async () => {
      const jar = jarOf((await login()).headers);
      const person = await accounts.person('viewer');
      const refresh = { body: { refresh_token: person.refreshToken } };
      for (const options of [refresh, { token: (await accounts.login(person.email)).body.access_token }]) {
        const out = await accounts.ask('POST', '/api/auth/logout', { ...options, headers: { cookie: jar } });
        assert.equal(out.status, 200, out.text);
        assert.equal(out.headers['set-cookie'], undefined);
        assert.equal((await session(jar)).status, 200);
      }
      assert.equal((await accounts.ask('POST', '/api/auth/refresh', refresh)).status, 401);
      const out = await accounts.ask('POST', '/api/auth/logout', { headers: { cookie: jar } });
      for (const cookie of setCookies(out.headers)) assert.match(cookie, /=; Max-Age=0;/);
      assert.equal((await session(jar)).status, 401);
    });

    test('writes from pages of other sites are refused, whatever the cookie; reads and tokens are not', async () => {
      const jar = jarOf((await login()).headers);
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${OWN}.evil.example` },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of foreign) {
        for (const path of ['logout', 'web/logout', 'refresh', 'resend-verification']) {
          const reply = await accounts.ask('POST', `/api/auth/${path}`, {
            headers: { ...headers, cookie: jar },
          });
          assert.deepEqual([reply.status, reply.body.code], [403, 'cross_origin'], JSON.stringify(headers));
        }
        assert.equal((await login(headers)).status, 403);
      }
      assert.equal((await session(jar)).status, 200);
      const { access_token: token } = (await accounts.login(accounts.first.email)).body;
      const withToken = { token, headers: { origin: 'https://evil.example' } };
      assert.equal((await accounts.ask('POST', '/api/auth/logout', withToken)).status, 200);
    });

    test('pages of the own address and of configured origins may write, and so may programs', async () => {
      for (const headers of [
        { origin: OWN },
        { origin: 'https://studio.example.com' },
        { 'sec-fetch-site': 'same-origin' },
        { origin: 'https://localhost', host: 'localhost' },
        {},
      ])
        assert.equal((await login(headers)).status, 200, JSON.stringify(headers));
    });

    test('a form of another site cannot send JSON', async () => {
      const reply = await accounts.app.inject({
        method: 'POST',
        url: '/api/auth/web/login',
        headers: { 'content-type': 'text/plain' },
        payload: JSON.stringify({ email: accounts.first.email, password: PASSWORD }),
      });
      assert.equal(reply.statusCode, 415);
    });

    test('behind https the cookies are for https alone', async () => {
      const secure = await startAccounts({ open, env: { PUBLIC_URL: 'https://accounts.example.com' } });
      const reply = await secure.ask('POST', '/api/auth/web/login', {
        body: { email: secure.first.email, password: PASSWORD },
      });
      const [access = '', refresh = ''] = setCookies(reply.headers);
      assert.match(access, /^__Host-canonry_access_[0-9a-f]{8}=[^;]+;.* Path=\/;.* Secure/);
      assert.match(refresh, /^__Secure-canonry_refresh_[0-9a-f]{8}=[^;]+;.* Path=\/api\/auth;.* Secure/);
      for (const cookie of [access, refresh]) assert.doesNotMatch(cookie, /domain/i);
      const { status } = await secure.ask('GET', '/api/auth/web/session', {
        headers: { cookie: jarOf(reply.headers) },
      });
      assert.equal(status, 200);
      const tossed = jarOf(reply.headers).replaceAll(/__(?:Host|Secure)-/g, '');
      const refused = await secure.ask('GET', '/api/auth/web/session', { headers: { cookie: tossed } });
      assert.equal(refused.status, 401, 'a cookie that another host of the domain may have set');
      await secure.close();
    });

    test('two installations on one host do not sign each other out', async () => {
      const other = await startAccounts({
        open,
        env: { SERVICE_TOKEN: 'the service token of another installation' },
      });
      const here = jarOf((await login()).headers);
      const there = jarOf(
        (
          await other.ask('POST', '/api/auth/web/login', {
            body: { email: other.first.email, password: PASSWORD },
          })
        ).headers,
      );
      const names = `${here}; ${there}`.split('; ').map((pair) => pair.split('=')[0]);
      assert.equal(new Set(names).size, 4);
      const both = `${here}; ${there}`;
      assert.equal((await session(both)).status, 200);
      const headers = { cookie: both };
      assert.equal((await other.ask('POST', '/api/auth/web/logout', { headers })).status, 200);
      assert.equal((await session(both)).status, 200);
      await other.close();
    });

    test('a cookie that is none is 401, as is none at all', async () => {
      for (const cookie of [
        '',
        `${accounts.cookies.access}=x; ${accounts.cookies.refresh}=y`,
        `${accounts.cookies.access}=${accounts.first.refreshToken}`,
      ])
        assert.equal((await session(cookie)).status, 401);
      assert.equal((await accounts.ask('POST', '/api/auth/web/logout')).status, 401);
    });
  });
});
