import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createBrowser } from '../../../test/support/oauth/browser.ts';
import { somebody } from '../../../test/support/oauth/people.ts';
import {
  APP,
  type OAuthService,
  PASSWORD,
  STUDIO,
  startOAuthService,
} from '../../../test/support/oauth/service.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const forApp = (address: string) => `?return_to=${encodeURIComponent(address)}&code_challenge=${CHALLENGE}`;

type Me = {
  user_id: string;
  email: string;
  avatar_url: string;
  email_verified: boolean;
  display_name: string;
};

const meIn = async ({ browser, url }: Pick<OAuthService, 'browser' | 'url'>): Promise<Me> => {
  const page = await browser.open(`${url}/api/auth/me`);
  assert.equal(page.status, 200, page.text);
  return JSON.parse(page.text);
};
const errorOf = ({ url }: { url: URL }) => url.searchParams.get('error');

test('a browser signs in with either provider, and is the same person', async (t) => {
  const service = await startOAuthService(t);
  const page = await service.signIn('google', 'mara', { query: '?return_to=/studio/' });
  assert.equal(page.url.href, `${service.url}/studio/`);
  assert.ok(service.browser.cookies('127.0.0.1').some((cookie) => cookie.startsWith('canonry_access_')));
  const me = await meIn(service);
  assert.equal(me.email, 'mara@example.com');
  assert.equal(me.display_name, 'Mara');
  assert.equal(me.email_verified, true);
  assert.equal(me.avatar_url, 'https://pictures.example/mara.jpg');
  const other = createBrowser();
  await service.signIn('github', 'mara', { browser: other });
  assert.equal((await meIn({ ...service, browser: other })).user_id, me.user_id);
  const listed = await service.call<{ providers: { id: string }[] }>('GET', '/api/auth/oauth/providers');
  assert.deepEqual(
    listed.body.providers.map(({ id }) => id),
    ['google', 'github'],
  );
});

test('somebody whose address changed at the provider stays who they are', async (t) => {
  const service = await startOAuthService(t);
  await service.signIn('google', 'mara');
  const before = await meIn(service);
  service.people.set('mara', somebody('new@example.com', false));
  const browser = createBrowser();
  await service.signIn('google', 'mara', { browser });
  assert.equal((await meIn({ ...service, browser })).user_id, before.user_id);
});

test('an app gets a code that is good once, with its verifier', async (t) => {
  const service = await startOAuthService(t);
  for (const address of [APP, STUDIO]) {
    const page = await service.signIn('google', 'mara', { query: forApp(address) });
    assert.ok(page.url.href.startsWith(`${address}?code=`), page.url.href);
    const body = { code: page.url.searchParams.get('code'), code_verifier: VERIFIER };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.call('POST', '/api/auth/oauth/exchange', { body })),
    );
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 401));
    const token = String(good[0]?.body.access_token);
    assert.equal((await service.call<Me>('GET', '/api/auth/me', { token })).body.email, 'mara@example.com');
    const refresh = { body: { refresh_token: good[0]?.body.refresh_token } };
    assert.equal((await service.call('POST', '/api/auth/refresh', refresh)).status, 200);
  }
  assert.deepEqual(
    service.browser.cookies('127.0.0.1').filter((cookie) => /^canonry_(access|refresh)/.test(cookie)),
    [],
  );
});

test('a code is nothing without its verifier, and no app gets one without a challenge', async (t) => {
  const service = await startOAuthService(t);
  for (const code_verifier of [undefined, 'w'.repeat(43)]) {
    const page = await service.signIn('google', 'mara', { query: forApp(APP) });
    const code = page.url.searchParams.get('code');
    const exchange = (body: object) => service.call('POST', '/api/auth/oauth/exchange', { body });
    assert.equal((await exchange({ code, code_verifier })).body.code, 'invalid_code');
    assert.equal((await exchange({ code, code_verifier: VERIFIER })).status, 401, 'it is used up');
  }
  const reply = await service.call('GET', `/api/auth/oauth/google?return_to=${encodeURIComponent(APP)}`);
  assert.equal(reply.status, 422);
  assert.equal(reply.body.code, 'pkce_required');
});

test('older apps may leave the challenge out', async (t) => {
  const service = await startOAuthService(t);
  const back = await service.agree('/api/auth/mobile/google-initiate', 'mara');
  assert.equal(back.pathname, '/api/auth/mobile/google-callback');
  const { url } = await service.browser.open(back);
  assert.ok(url.href.startsWith(`${APP}?code=`), url.href);
  const body = { code: url.searchParams.get('code') };
  assert.equal((await service.call('POST', '/api/auth/oauth/exchange', { body })).status, 200);
});

test('an address that nobody verified makes no account and takes none over', async (t) => {
  const service = await startOAuthService(t);
  await service.register('owner@example.com');
  service.people.set('eve', somebody('owner@example.com', false));
  service.people.set('new', somebody('new@example.com', false));
  const errorFor = async (provider: 'google' | 'github', login: string) =>
    errorOf(await service.signIn(provider, login, { browser: createBrowser() }));
  for (const provider of ['google', 'github'] as const) {
    assert.equal(await errorFor(provider, 'eve'), 'email_unverified');
    assert.equal(await errorFor(provider, 'new'), 'email_unverified');
  }
  assert.equal(await service.surface.users.findByEmail('new@example.com'), null);
});

forEachDatabase((_name, open) => {
  test('who signs in by a provider first takes the account from whoever gave the address shortly before', async (t) => {
    let passed = 0;
    const clock = { now: () => Date.now() + passed };
    const service = await startOAuthService(t, { open, clock });
    const stateOf = async (email: string, token: string) => ({
      session: (await service.call('GET', '/api/auth/me', { token })).status,
      password: (await service.call('POST', '/api/auth/login', { body: { email, password: PASSWORD } }))
        .status,
    });
    const signIn = async (login: string, email: string) => {
      service.people.set(login, somebody(email));
      const browser = createBrowser();
      const page = await service.signIn('google', login, { browser });
      assert.equal(errorOf(page), null);
      return meIn({ ...service, browser });
    };
    for (const verified of [false, true]) {
      const email = `early-${verified}@example.com`;
      const token = await service.register(email, { verified });
      const key = await service.call<{ key: string }>('POST', '/api/auth/api-keys', {
        token,
        body: { name: 'left behind' },
      });
      const invite = { email: `ally-${verified}@example.com`, role: 'admin' };
      const invited = await service.call('POST', '/api/auth/create-invite', { token, body: invite });
      assert.equal(invited.status, 201, invited.text);
      const me = await signIn(`victim-${verified}`, email);
      assert.deepEqual([me.email, me.email_verified], [email, true]);
      assert.deepEqual(await stateOf(email, token), { session: 401, password: 401 });
      if (key.status === 201)
        assert.equal((await service.call('GET', '/api/auth/me', { token: key.body.key })).status, 401);
      const link = `/api/auth/validate-invite/${invited.body.token}`;
      assert.equal((await service.call('GET', link)).status, 401, 'an invitation that was left behind');
      const again = await signIn(`victim-${verified}`, email);
      assert.equal(again.user_id, me.user_id);
    }
    const email = 'settled@example.com';
    await service.register(email);
    passed = 8 * 24 * 3_600_000;
    const { body } = await service.call<{ access_token: string }>('POST', '/api/auth/login', {
      body: { email, password: PASSWORD },
    });
    await signIn('settled', email);
    assert.deepEqual(await stateOf(email, body.access_token), { session: 200, password: 200 });
  });
});

test('closed accounts stay closed, and new ones need registration to be open', async (t) => {
  const service = await startOAuthService(t, { env: { REGISTRATION: 'invite' } });
  const { users } = service.surface;
  await service.signIn('google', 'mara');
  const { tenantId = '' } = (await users.findByEmail('mara@example.com'))?.user ?? {};
  const errorFor = async (login: string) =>
    errorOf(await service.signIn('google', login, { browser: createBrowser() }));
  service.people.set('jon', somebody('jon@example.com'));
  assert.equal(await errorFor('jon'), 'registration_closed');
  const jon = await users.create(
    { email: 'jon@example.com', password: null, tenantId, emailVerified: true },
    () => ({ role: 'viewer', tenantRole: 'viewer' }),
  );
  assert.equal(await errorFor('jon'), null);
  await users.update(jon.userId, { isActive: false });
  assert.equal(await errorFor('jon'), 'account_closed');
});

test('an invited person joins by a provider, with the address that was invited, while there is a seat', async (t) => {
  const service = await startOAuthService(t, { env: { REGISTRATION: 'invite' } });
  await service.register('owner@example.com');
  const owner = (await service.surface.users.findByEmail('owner@example.com'))?.user;
  await service.surface.tenants.changePlan(owner?.tenantId ?? '', 'indie', 2);
  const { body: login } = await service.call<{ access_token: string }>('POST', '/api/auth/login', {
    body: { email: 'owner@example.com', password: 'a long pass phrase' },
  });
  const invited = async (email: string): Promise<string> => {
    const body = { email, role: 'editor' };
    const made = await service.call<{ token: string }>('POST', '/api/auth/create-invite', {
      token: login.access_token,
      body,
    });
    assert.ok(made.body.token, made.text);
    return `?invite=${made.body.token}`;
  };
  const query = await invited('mara@example.com');
  service.people.set('eve', somebody('eve@example.com'));
  service.people.set('jon', somebody('jon@example.com'));
  const errorFor = async (login: string, asked: string) =>
    errorOf(await service.signIn('google', login, { browser: createBrowser(), query: asked }));
  assert.equal(await errorFor('eve', query), 'invite_other_address');
  assert.equal(await errorFor('eve', '?invite=made-up'), 'invalid_invite');
  const tabs = await Promise.all(Array.from({ length: 5 }, () => errorFor('mara', query)));
  assert.ok(tabs.includes(null));
  const mayBe = [null, 'invalid_invite'];
  assert.deepEqual(
    tabs.filter((error) => !mayBe.includes(error)),
    [],
  );
  assert.equal(await errorFor('mara', query), null, 'whoever has joined just signs in');
  const mara = (await service.surface.users.findByEmail('mara@example.com'))?.user;
  assert.equal(mara?.tenantId, owner?.tenantId);
  assert.equal(mara?.role, 'editor');
  assert.equal(await errorFor('jon', await invited('jon@example.com')), 'seat_limit');
});

test('who does not agree comes back with a code, not with words of the provider', async (t) => {
  const service = await startOAuthService(t);
  const page = await service.signIn('google', 'mara', { decision: 'deny', query: '?return_to=/studio/' });
  assert.equal(page.url.href, `${service.url}/studio/?error=access_denied`);
  const back = await service.agree('/api/auth/oauth/github', 'mara');
  back.searchParams.delete('code');
  back.searchParams.set('error', '<script>');
  assert.equal(errorOf(await service.browser.open(back)), 'provider_refused');
});

forEachDatabase((_name, open) => {
  test('one person signs in for the first time in twenty tabs, and gets one account', async (t) => {
    const service = await startOAuthService(t, { open });
    const browsers = Array.from({ length: 20 }, createBrowser);
    await Promise.all(
      browsers.map((browser, index) => service.signIn(index % 2 ? 'google' : 'github', 'mara', { browser })),
    );
    const ids = await Promise.all(
      browsers.map(async (browser) => (await meIn({ ...service, browser })).user_id),
    );
    assert.equal(new Set(ids).size, 1);
    assert.equal((await service.surface.tenants.list()).length, 1);
  });
});

test('providers that are unknown, not set up, or down are told apart', async (t) => {
  const service = await startOAuthService(t, {
    env: { OAUTH_GITHUB_CLIENT_ID: '', OAUTH_GITHUB_CLIENT_SECRET: '' },
  });
  const start = (provider: string) => service.call('GET', `/api/auth/oauth/${provider}`);
  assert.equal((await start('myspace')).status, 404);
  const github = await start('github');
  assert.equal(github.status, 409);
  assert.match(String(github.body.detail), /OAUTH_GITHUB_CLIENT_ID/);
  service.google.state = 'down';
  assert.equal((await start('google')).status, 503);
  service.google.state = 'up';
  const back = await service.agree('/api/auth/oauth/google', 'mara');
  service.google.state = 'down';
  assert.equal(errorOf(await service.browser.open(back)), 'provider_unavailable');
});
