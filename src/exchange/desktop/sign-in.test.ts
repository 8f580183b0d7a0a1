import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { PASSWORD, startAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase, type OpenDatabase, openTestSqlite } from '../../../test/support/databases.ts';
import { startDesktop, type TestDesktop } from '../../../test/support/desktop.ts';
import { tell } from '../../../test/support/edge.ts';
import { type Browser, createBrowser, type Page } from '../../../test/support/oauth/browser.ts';
import { createPendingSignIn } from './pending-sign-in.ts';

interface Status {
  signed_in: boolean;
  cloud_url: string | null;
  account: string | null;
  by: string | null;
  pending: { cloud_url: string } | null;
  code: string;
  detail: string;
}

interface Begun {
  authorization_url: string;
  redirect_uri: string;
  expires_in: number;
  code: string;
}

interface World {
  desktop: TestDesktop;
  accounts: Awaited<ReturnType<typeof startAccounts>>;
  cloudUrl: string;
  browser: Browser;
  begin(body?: object): Promise<Begun>;
  status(): Promise<Status>;
  /** Submits the cloud's consent page; stops before the redirect back to the installation. */
  agree(begun: Begun, decision?: 'allow' | 'deny'): Promise<Page>;
  finish(back: URL): ReturnType<typeof callback>;
}

const callback = (desktop: TestDesktop, { searchParams }: URL) =>
  desktop.ask<Status>('POST', '/api/desktop/auth/callback', {
    body: { code: searchParams.get('code'), state: searchParams.get('state') },
  });

type Ending = (listener: () => Promise<unknown>) => void;

async function start(atEnd: Ending, open: OpenDatabase = openTestSqlite): Promise<World> {
  const accounts = await startAccounts();
  const desktop = await startDesktop({ open, env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } });
  atEnd(() => Promise.all([desktop.close(), accounts.close()]));
  await accounts.app.listen({ host: '127.0.0.1', port: 0 });
  const cloudUrl = `http://127.0.0.1:${(accounts.app.server.address() as AddressInfo).port}`;
  const browser = createBrowser();
  return {
    desktop,
    accounts,
    cloudUrl,
    browser,
    async begin(body = { cloud_url: `${cloudUrl}/` }) {
      const reply = await desktop.ask<Begun>('POST', '/api/desktop/auth/login', { body });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    },
    status: async () => (await desktop.ask<Status>('GET', '/api/desktop/auth/status')).body,
    async agree({ authorization_url, redirect_uri }, decision = 'allow') {
      const page = await browser.open(authorization_url);
      assert.equal(page.status, 200, page.text);
      const form = { decision, email: accounts.first.email, password: PASSWORD };
      return browser.submit(page, form, { stopAt: ({ href }) => href.startsWith(redirect_uri) });
    },
    finish: (back) => callback(desktop, back),
  };
}

forEachDatabase((_name, open) => {
  test('an install is signed in by the browser, and out again, and shows no token', async (t) => {
    const world = await start((end) => t.after(end), open);
    const { desktop, accounts, cloudUrl, browser } = world;
    const begun = await world.begin();
    assert.match(begun.redirect_uri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(begun.expires_in, 600);
    assert.ok(begun.authorization_url.startsWith(`${cloudUrl}/api/auth/desktop/authorize?`));
    assert.equal((await world.status()).pending?.cloud_url, cloudUrl);

    const end = await browser.open((await world.agree(begun)).url);
    assert.equal(end.status, 200, end.text);
    assert.match(end.text, /<h1>Signed in<\/h1>/);
    const { signed_in, account, by, cloud_url, pending } = await world.status();
    assert.deepEqual(
      { signed_in, account, by, cloud_url, pending },
      { signed_in: true, account: accounts.first.email, by: 'signed_in', cloud_url: cloudUrl, pending: null },
    );
    await assert.rejects(browser.open(begun.redirect_uri), 'nobody listens any more');

    const { access_token } = await tokensOf(desktop);
    const me = () => accounts.ask('GET', '/api/auth/me', { token: access_token });
    assert.equal((await me()).body.email, accounts.first.email);
    for (const path of ['auth/status', 'sync/status', 'projects'])
      assert.doesNotMatch((await desktop.ask('GET', `/api/desktop/${path}`)).text, /eyJ|cnr_/);

    const out = await desktop.ask('POST', '/api/desktop/auth/logout');
    assert.deepEqual(out.body, { message: 'Signed out', revoked: true });
    assert.equal((await me()).status, 401);
    assert.equal((await world.status()).signed_in, false);
    const again = await desktop.ask('POST', '/api/desktop/auth/logout');
    assert.deepEqual(again.body, { message: 'Nobody was signed in', revoked: false });
  });
});

/** Read through the service, since the database holds them sealed. */
async function tokensOf({ cloudSync }: TestDesktop): Promise<{ access_token: string }> {
  return { access_token: await cloudSync.links.accessToken('local') };
}

const shared = await start(after);

async function fresh(): Promise<World> {
  await shared.desktop.ask('POST', '/api/desktop/auth/logout');
  return shared;
}

test('tokens lie sealed in the database', async () => {
  const world = await fresh();
  await world.browser.open((await world.agree(await world.begin())).url);
  const { access_token } = await tokensOf(world.desktop);
  const rows = await world.desktop.database.system.read(async (db) =>
    JSON.stringify(
      await db
        .selectFrom('cloud_links' as never)
        .selectAll()
        .execute(),
    ),
  );
  assert.ok(rows.includes('v1.'));
  assert.ok(!rows.includes(access_token) && !rows.includes('eyJ') && !rows.includes('cnr_'));
});

test('a code and a state are good once, under any parallelism', async () => {
  const world = await fresh();
  const { url } = await world.agree(await world.begin());
  const replies = await Promise.all(Array.from({ length: 20 }, () => world.finish(url)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)]);
  const late = await world.finish(url);
  assert.deepEqual([late.status, late.body.code], [400, 'invalid_state']);
});

test('a state that is made up ends nothing, and one is good for its own sign-in alone', async () => {
  const world = await fresh();
  const first = await world.agree(await world.begin());
  const { url } = await world.agree(await world.begin());
  assert.equal((await world.finish(first.url)).status, 400);
  const forged = new URL(url);
  forged.searchParams.set('state', 'x'.repeat(43));
  assert.equal((await world.finish(forged)).status, 400);
  assert.equal((await world.browser.open(forged)).status, 400);
  assert.equal((await world.finish(url)).status, 200);
});

test('a code that somebody else asked for is worth nothing here: the verifier does not fit', async () => {
  const world = await fresh();
  const begun = await world.begin();
  const theirs = new URL(begun.authorization_url);
  theirs.searchParams.set('code_challenge', 'a'.repeat(43));
  const { url } = await world.agree({ ...begun, authorization_url: theirs.href });
  const end = await world.browser.open(url);
  assert.equal(end.status, 400);
  assert.match(end.text, /Not signed in/);
  assert.equal((await world.status()).signed_in, false);
});

test('whoever refuses in the browser is told so, and may begin anew', async () => {
  const world = await fresh();
  const { url } = await world.agree(await world.begin(), 'deny');
  const end = await world.browser.open(url);
  assert.equal(end.status, 400);
  assert.match(end.text, /refused in the browser/);
  assert.equal((await world.status()).pending, null);
  assert.equal((await world.browser.open((await world.agree(await world.begin())).url)).status, 200);
});

test('what listens for the browser answers to its number and its one address alone', async () => {
  const world = await fresh();
  const { redirect_uri } = await world.begin();
  const query = `?code=x&state=${'x'.repeat(43)}`;
  const { port } = new URL(redirect_uri);
  const other = (path: string) => `http://127.0.0.1:${port}${path}`;
  for (const [url, asking] of [
    [`${redirect_uri}${query}`, { headers: { host: 'evil.example' } }],
    [`${redirect_uri}${query}`, { headers: { host: `localhost:${port}` } }],
    [`${redirect_uri}${query}`, { method: 'POST' }],
    [redirect_uri, {}],
    [other(`/${query}`), {}],
    [other(`/callback/x${query}`), {}],
    [other('//evil.example/callback'), {}],
    [other('//'), {}],
  ] as const)
    assert.equal((await tell(url, asking)).status, 404, `${url} ${JSON.stringify(asking)}`);
  assert.equal((await tell(`${redirect_uri}${query}`)).status, 400);
  assert.ok((await world.status()).pending);
});

test('a cloud that is away is said to be; who signs out is signed out here in any case', async (t) => {
  const world = await start((end) => t.after(end));
  const { desktop, accounts } = world;
  await world.browser.open((await world.agree(await world.begin())).url);
  const { url } = await world.agree(await world.begin({}));
  await accounts.app.close();
  const finished = await world.finish(url);
  assert.equal(finished.status, 503, finished.text);
  assert.equal((await world.status()).signed_in, true);
  const out = await desktop.ask('POST', '/api/desktop/auth/logout');
  assert.deepEqual([out.status, out.body], [200, { message: 'Signed out', revoked: false }]);
  assert.equal((await world.status()).signed_in, false);
});

test('a session whose access token has run out is revoked as well', async (t) => {
  const world = await start((end) => t.after(end));
  const { desktop, accounts } = world;
  await world.browser.open((await world.agree(await world.begin())).url);
  accounts.clock.pass(16 * 60_000);
  const out = await desktop.ask('POST', '/api/desktop/auth/logout');
  assert.deepEqual(out.body, { message: 'Signed out', revoked: true });
});

test('what is no address of a cloud, none at all, and one of the settings are refused', async (t) => {
  const { desktop } = await fresh();
  const login = async (body: object) => {
    const reply = await desktop.ask<Begun>('POST', '/api/desktop/auth/login', { body });
    return [reply.status, reply.body.code];
  };
  assert.deepEqual(await login({}), [409, 'no_cloud']);
  for (const cloud_url of [
    'https://',
    'https://a:b@c.example',
    'https://c.example/?x=1',
    'https://c.example#x',
  ])
    assert.deepEqual(await login({ cloud_url }), [422, 'invalid_cloud_url'], cloud_url);
  assert.equal((await login({ cloud_url: 'ftp://c.example' }))[0], 422);

  const set = await startDesktop({ env: { CLOUD_URL: 'https://c.example', CLOUD_TOKEN: 'cnry_test' } });
  t.after(() => set.close());
  for (const path of ['login', 'logout']) {
    const reply = await set.ask<Begun>('POST', `/api/desktop/auth/${path}`);
    assert.deepEqual([reply.status, reply.body.code], [409, 'set_by_settings'], path);
  }
  const { body } = await set.ask<Status>('GET', '/api/desktop/auth/status');
  assert.deepEqual([body.signed_in, body.by, body.account], [true, 'settings', null]);
});

test('a sign-in is forgotten after ten minutes', () => {
  let now = 0;
  const pending = createPendingSignIn({ clock: { now: () => now } });
  const { state } = pending.begin('https://c.example', 'http://127.0.0.1:1/callback');
  now = 599_999;
  assert.ok(pending.current());
  now = 600_000;
  assert.equal(pending.current(), null);
  assert.equal(pending.take(state), null);
});

test('a desktop that is signed in to nothing syncs with nothing', async () => {
  const { desktop } = await fresh();
  const { body } = await desktop.ask<{ state: string }>('GET', '/api/desktop/sync/status');
  assert.equal(body.state, 'unlinked');
  for (const path of ['sync/start', 'sync/now', 'sync/force-push', 'sync/force-pull', 'ws/connect']) {
    const reply = await desktop.ask('POST', `/api/desktop/${path}`);
    assert.deepEqual([reply.status, reply.body.code], [409, 'not_configured'], path);
  }
  const stopped = await desktop.ask('POST', '/api/desktop/sync/stop');
  assert.deepEqual([stopped.status, stopped.body.state], [200, 'unlinked']);
  const left = await desktop.ask('POST', '/api/desktop/ws/disconnect');
  assert.equal(left.body.state, 'off');
  const nowhere = await desktop.ask('GET', '/api/desktop/sync/status', {
    headers: { 'x-project-id': 'none' },
  });
  assert.equal(nowhere.status, 404);
});
