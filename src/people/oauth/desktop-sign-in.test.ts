import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startAccounts } from '../../../test/support/accounts.ts';
import { startOAuthService } from '../../../test/support/oauth/service.ts';

const VERIFIER = 'v'.repeat(43);
const STATE = 'a-state-of-an-install';
const BACK = 'http://127.0.0.1:49152/callback';
const OWN = 'http://accounts.example.com';
const asked = {
  redirect_uri: BACK,
  state: STATE,
  code_challenge: hash('sha256', VERIFIER, 'base64url'),
  code_challenge_method: 'S256',
  client: 'mara-laptop',
};
const pageOf = (changes: Partial<Record<keyof typeof asked, string>> = {}) =>
  `/api/auth/desktop/authorize?${new URLSearchParams({ ...asked, ...changes })}`;

async function start(t: TestContext) {
  const accounts = await startAccounts();
  t.after(() => accounts.close());
  const { email } = accounts.first;

  const send = async (
    form: Record<string, string>,
    headers: Record<string, string> = {},
    path = pageOf(),
  ) => {
    const {
      statusCode,
      headers: given,
      body,
    } = await accounts.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    });
    return { status: statusCode, location: given.location, headers: given, text: body };
  };
  const signIn = async (): Promise<string> => {
    const { status, location, text } = await send({ decision: 'allow', email, password: PASSWORD });
    assert.equal(status, 302, text);
    return new URL(location ?? '').searchParams.get('code') ?? '';
  };
  const exchange = (code: string, code_verifier = VERIFIER) =>
    accounts.ask('POST', '/api/auth/oauth/exchange', { body: { code, code_verifier } });
  return { accounts, email, send, signIn, exchange };
}

const cookiesOf = (headers: Record<string, unknown>): string =>
  [headers['set-cookie']]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ');

test('whoever signs in on the page is sent back to the install with a code that it exchanges for tokens', async (t) => {
  const { accounts, email, send, exchange } = await start(t);
  const page = await accounts.ask('GET', pageOf());
  assert.equal(page.status, 200);
  assert.match(page.text, /on “mara-laptop”/);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /form-action 'self' http:\/\/127\.0\.0\.1:49152;/);
  assert.match(policy, /frame-ancestors 'none'/);
  const wrong = await send({ decision: 'allow', email, password: 'not the pass phrase' });
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /address or the password is wrong/);
  assert.ok(!wrong.text.includes('not the pass phrase'));

  const { location = '' } = await send({ decision: 'allow', email, password: PASSWORD });
  assert.ok(location.startsWith(`${BACK}?code=`), location);
  assert.equal(new URL(location).searchParams.get('state'), STATE);
  const tokens = await exchange(new URL(location).searchParams.get('code') ?? '');
  assert.equal(tokens.status, 200, tokens.text);
  const me = await accounts.ask('GET', '/api/auth/me', { token: tokens.body.access_token });
  assert.equal(me.body.email, email);
});

test('whoever is signed in in the browser agrees by one press, also when the access token has run out', async (t) => {
  const { accounts, email, send, exchange } = await start(t);
  const login = await accounts.ask('POST', '/api/auth/web/login', { body: { email, password: PASSWORD } });
  const cookie = cookiesOf(login.headers);
  const page = await accounts.ask('GET', pageOf(), { headers: { cookie } });
  assert.match(page.text, new RegExp(`signed in as <strong>${email}`));
  assert.ok(!page.text.includes('name="password"'));
  const agreed = await send({ decision: 'allow' }, { cookie, origin: OWN });
  const code = new URL(agreed.location ?? '').searchParams.get('code') ?? '';
  assert.equal((await exchange(code)).status, 200);

  accounts.clock.pass(16 * 60_000);
  const later = await accounts.ask('GET', pageOf(), { headers: { cookie } });
  assert.match(later.text, /You are signed in as/);
  const renewed = cookiesOf(later.headers);
  assert.match(renewed, /canonry_access_.+canonry_refresh_/);
  assert.equal((await send({ decision: 'allow' }, { cookie: renewed, origin: OWN })).status, 302);
});

test('whoever refuses is sent back without a code', async (t) => {
  const { send } = await start(t);
  const { location } = await send({ decision: 'deny', email: '', password: '' });
  assert.equal(location, `${BACK}?error=access_denied&state=${STATE}`);
});

test('without a session nobody agrees, and pages of other sites agree for nobody', async (t) => {
  const { accounts, email, send } = await start(t);
  const nobody = await send({ decision: 'allow' });
  assert.deepEqual([nobody.status, nobody.location], [200, undefined]);
  assert.match(nobody.text, /name="password"/);
  const ended = await send(
    { decision: 'allow' },
    { cookie: `${accounts.cookies.access}=a.b.c; ${accounts.cookies.refresh}=cnr_x.1.y` },
  );
  assert.equal(ended.location, undefined);
  const login = await accounts.ask('POST', '/api/auth/web/login', { body: { email, password: PASSWORD } });
  const cookie = cookiesOf(login.headers);
  for (const headers of [
    { cookie, origin: 'https://evil.example' },
    { cookie, origin: 'null' },
    { cookie, 'sec-fetch-site': 'cross-site' },
  ])
    assert.equal((await send({ decision: 'allow' }, headers)).status, 403);
});

test('nobody is sent anywhere but to a number of this machine', async (t) => {
  const { accounts, email, send } = await start(t);
  for (const redirect_uri of [
    'https://evil.example/callback',
    'http://localhost:49152/callback',
    'http://127.0.0.1.evil.example:49152/callback',
    'http://127.0.0.1:49152@evil.example/callback',
    'http://user@127.0.0.1:49152/callback',
    'http://127.0.0.1:49152/callback#x',
    'http://127.0.0.1:49152/callback?x=1',
    'http://127.0.0.1:49152/callback/../other',
    'http://127.0.0.1:49152\\@evil.example/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1/callback',
    'http://127.1:49152/callback',
    'http://2130706433:49152/callback',
    'http://[::ffff:127.0.0.1]:49152/callback',
    'http://0.0.0.0:49152/callback',
    'https://127.0.0.1:49152/callback',
    'javascript:alert(1)//127.0.0.1:49152/callback',
    'http://127.0.0.1:49152/callback\n',
  ]) {
    const path = pageOf({ redirect_uri });
    assert.equal((await accounts.ask('GET', path)).status, 422, redirect_uri);
    for (const form of [{ decision: 'allow', email, password: PASSWORD }, { decision: 'deny' }])
      assert.deepEqual((await send(form as Record<string, string>, {}, path)).status, 422, redirect_uri);
  }
  const ipv6 = pageOf({ redirect_uri: 'http://[::1]:49152/callback' });
  const { location = '' } = await send({ decision: 'allow', email, password: PASSWORD }, {}, ipv6);
  assert.ok(location.startsWith('http://[::1]:49152/callback?code='), location);
});

test('a request without PKCE, or with a state that can be guessed, is none', async (t) => {
  const { accounts } = await start(t);
  for (const changes of [
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { code_challenge: VERIFIER.repeat(2) },
    { state: 'x' },
    { state: '"><script>alert(1)</script>' },
  ])
    assert.equal((await accounts.ask('GET', pageOf(changes))).status, 422, JSON.stringify(changes));
  const shown = await accounts.ask('GET', pageOf({ client: '<img src=x onerror=alert(1)>' }));
  assert.ok(!shown.text.includes('<img'));
});

test('a code is good once, for the verifier alone, under any parallelism', async (t) => {
  const { signIn, exchange } = await start(t);
  assert.equal((await exchange(await signIn(), 'w'.repeat(43))).status, 401);
  const code = await signIn();
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(401)]);
});

test('a form that is too long, or none at all, is refused', async (t) => {
  const { accounts, send } = await start(t);
  const long = await send({ decision: 'allow', email: 'x'.repeat(9_000), password: 'x' });
  assert.equal(long.status, 413);
  const other = await accounts.ask('POST', pageOf(), { body: { decision: 'allow' } });
  assert.equal(other.status, 415);
});

test('a form with text that nothing can hold is refused, whatever the rest of it says', async (t) => {
  const { email, send } = await start(t);
  for (const form of [
    { email: `${email}\0`, password: PASSWORD },
    { email, password: `${PASSWORD}\0` },
  ])
    assert.equal((await send({ decision: 'allow', ...form })).status, 400);
});

test('guesses at a password on the page are counted as everywhere', async (t) => {
  const accounts = await startAccounts({ env: { RATE_LIMIT_LOGIN: '3' } });
  t.after(() => accounts.close());
  const guess = () =>
    accounts.app.inject({
      method: 'POST',
      url: pageOf(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ decision: 'allow', email: 'a@example.com', password: 'x' }).toString(),
    });
  const statuses = [];
  for (let tries = 0; tries < 5; tries += 1) statuses.push((await guess()).statusCode);
  assert.equal(statuses.at(-1), 429);
});

test('a sign-in by a provider leads back to the page', async (t) => {
  const service = await startOAuthService(t);
  const page = await service.browser.open(`${service.url}${pageOf()}`);
  const link = /href="([^"]*oauth\/google[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const back = await service.agree(link, 'mara');
  const arrived = await service.browser.open(back);
  assert.equal(arrived.url.pathname, '/api/auth/desktop/authorize');
  assert.match(arrived.text, /You are signed in as/);
});
