import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { agreeAs, createBrowser } from '../../../test/support/oauth/browser.ts';
import { agreeToDrive, googleDrive } from '../../../test/support/oauth/drive.ts';
import { DRIVE_SCOPE } from '../../../test/support/oauth/openid-server.ts';
import {
  type OAuthService,
  SERVICE_TOKEN,
  type ServiceSetup,
  startOAuthService,
} from '../../../test/support/oauth/service.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import { OAuthError } from '../../platform/oauth/oauth.ts';
import type { ConnectionRow, OAuthTables } from './oauth.tables.ts';

const DRIVE = '/api/auth/oauth/google/drive?return_to=/studio/';
const STORAGE = '/api/auth/storage-oauth/google?return_to=/studio/';

const rowsOf = ({ surface }: OAuthService): Promise<ConnectionRow[]> =>
  surface.database.system.read((db: Kysely<OAuthTables>) =>
    db.selectFrom('oauth_connections').selectAll().execute(),
  );

const PASSWORD = 'another long pass phrase';

async function login(service: OAuthService): Promise<string> {
  const body = { email: 'mara@example.com', password: PASSWORD };
  return (await service.call<{ access_token: string }>('POST', '/api/auth/login', { body })).body
    .access_token;
}

interface Status {
  connections: { provider: string; connected: boolean; scopes: string[] }[];
}

/** A service whose tenants have the feature for connecting files. */
async function startWithDrive(t: TestContext, setup: ServiceSetup = {}): Promise<OAuthService> {
  const service = await startOAuthService(t, setup);
  async function withDrive<Result>(made: Promise<Result>): Promise<Result> {
    const result = await made;
    const { tenants } = service.surface;
    for (const { tenantId } of await tenants.list())
      await tenants.changeFeatures(tenantId, { cloud_drive: true });
    return result;
  }
  return {
    ...service,
    signIn: (...args) => withDrive(service.signIn(...args)),
    register: (...args) => withDrive(service.register(...args)),
  };
}

/** Begins in the signed-in browser and consents; returns the provider's redirect address. */
async function agreeTo(service: OAuthService, start: string, browser = service.browser) {
  const { status, text } = await browser.open(service.url + start);
  assert.equal(status, 200, text);
  const { authorization_url: url } = JSON.parse(text) as { authorization_url: string };
  const stopAt = ({ origin }: URL) => origin === service.url;
  return { url: new URL(url), back: (await agreeAs(browser, url, { login: 'mara' }, { stopAt })).url };
}

const statusIn = async ({ url }: OAuthService, browser = createBrowser()): Promise<Status> =>
  JSON.parse((await browser.open(`${url}/api/auth/storage-oauth/status`)).text);

forEachDatabase((_name, open) => {
  for (const start of [DRIVE, STORAGE]) {
    test(`files are connected and given back: ${start.split('?')[0]}`, async (t) => {
      const service = await startWithDrive(t, { open });
      const { browser } = service;
      await service.signIn('google', 'mara');
      assert.equal((await statusIn(service, browser)).connections[0]?.connected, false);
      const { url, back } = await agreeTo(service, start);
      assert.equal(url.searchParams.get('scope'), DRIVE_SCOPE, 'the only scope');
      assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
      const end = await browser.open(back);
      assert.equal(end.url.href, `${service.url}/studio/?connected=google`);
      const status = await statusIn(service, browser);
      assert.deepEqual(
        status.connections.map(({ provider, connected, scopes }) => ({ provider, connected, scopes })),
        [{ provider: 'google', connected: true, scopes: [DRIVE_SCOPE] }],
      );
      assert.equal((await browser.open(back)).status, 400, 'the state is used');

      const [row] = await rowsOf(service);
      assert.ok(row?.refresh_token && row.expires_at);
      const box = createSecretBox(service.config.encryptionKey);
      const refreshToken = box.open(
        row.refresh_token,
        `oauth_connections ${row.user_id} google refresh_token`,
      );
      assert.ok(!JSON.stringify([row, status]).includes(refreshToken));
      const drive = googleDrive(service);
      assert.ok((await drive.refresh(refreshToken)).accessToken);

      const cookie = browser.cookies('127.0.0.1').join('; ');
      const remove = () =>
        fetch(`${service.url}/api/auth/storage-oauth/google`, { method: 'DELETE', headers: { cookie } });
      assert.equal((await remove()).status, 200);
      assert.equal((await remove()).status, 404);
      assert.deepEqual(await rowsOf(service), []);
      await assert.rejects(drive.refresh(refreshToken), OAuthError, 'revoked at the provider');
    });
  }
});

test('disconnecting works while the provider is down', async (t) => {
  const service = await startWithDrive(t);
  await service.signIn('google', 'mara');
  await service.browser.open((await agreeTo(service, STORAGE)).back);
  service.google.state = 'down';
  const cookie = service.browser.cookies('127.0.0.1').join('; ');
  const reply = await fetch(`${service.url}/api/auth/storage-oauth/google`, {
    method: 'DELETE',
    headers: { cookie },
  });
  assert.equal(reply.status, 200);
  assert.deepEqual(await rowsOf(service), []);
});

test('files are connected to who began alone, in the browser that began', async (t) => {
  const service = await startWithDrive(t);
  await service.signIn('google', 'mara');
  const stranger = createBrowser();
  const refused = await stranger.open((await agreeTo(service, STORAGE)).back);
  assert.equal(refused.status, 400);
  const token = await service.register('other@example.com');
  const { back } = await agreeTo(service, DRIVE);
  const cookie = service.browser.cookies('127.0.0.1').find((each) => each.startsWith('canonry_oauth_')) ?? '';
  const reply = await fetch(back, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, cookie },
  });
  assert.equal(reply.headers.get('location'), `${service.url}/studio/?error=other_account`);
  const anonymous = await service.call('GET', new URL((await agreeTo(service, DRIVE)).back).pathname);
  assert.equal(anonymous.status, 401);
  assert.deepEqual(await rowsOf(service), []);
});

test('who lost their sessions in between, and programs, connect nothing', async (t) => {
  const service = await startWithDrive(t);
  const { users } = service.surface;
  await service.signIn('google', 'mara');
  const { back } = await agreeTo(service, STORAGE);
  const { userId = '' } = (await users.findByEmail('mara@example.com'))?.user ?? {};
  await users.setPassword(userId, PASSWORD);
  const end = await service.browser.open(back);
  assert.equal(end.url.search, '?error=session_ended');
  const made = await service.call<{ key: string }>('POST', '/api/api-keys', {
    token: await login(service),
    body: { name: 'a program' },
  });
  assert.equal(made.status, 201, made.text);
  assert.equal((await service.call('GET', STORAGE, { token: made.body.key })).status, 403);
  assert.deepEqual(await rowsOf(service), []);
});

test('who leaves the access out, and providers without files, connect nothing', async (t) => {
  const service = await startWithDrive(t);
  const token = await service.register('other@example.com');
  assert.equal((await service.call('GET', '/api/auth/storage-oauth/github', { token })).status, 404);
  assert.equal((await service.call('GET', STORAGE)).status, 401);
  const evil = await service.call('GET', '/api/auth/storage-oauth/google?return_to=https://evil.example/', {
    token,
  });
  assert.equal(evil.status, 422);
  await service.signIn('google', 'mara');
  const { text } = await service.browser.open(service.url + STORAGE);
  const { authorization_url: url } = JSON.parse(text) as { authorization_url: string };
  const end = await agreeAs(service.browser, url, { login: 'mara', decision: 'deny' }, {});
  assert.equal(end.url.search, '?error=access_denied');
  assert.deepEqual(await rowsOf(service), []);
});

test('another surface has a code exchanged, and gets no token', async (t) => {
  const service = await startWithDrive(t);
  await service.register('owner@example.com');
  const userId = (await service.surface.users.findByEmail('owner@example.com'))?.user.userId ?? '';
  const { code, redirectUri, codeVerifier, issuer } = await agreeToDrive(service);
  const body = {
    user_id: userId,
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    iss: issuer,
  };
  const path = '/internal/storage-oauth/google/exchange';
  const ask = (token: string | undefined, change: object = {}) =>
    service.call('POST', path, { ...(token !== undefined && { token }), body: { ...body, ...change } });
  const userToken = await service.register('other@example.com');
  for (const token of [undefined, 'x', userToken]) assert.equal((await ask(token)).status, 401);
  assert.equal((await ask(SERVICE_TOKEN, { user_id: 'nobody' })).status, 404);
  assert.equal((await ask(SERVICE_TOKEN, { code: 'made-up' })).body.code, 'provider_refused');
  const wrong = createHash('sha256').update('x').digest('base64url');
  const good = await ask(SERVICE_TOKEN);
  assert.equal(good.status, 200, good.text);
  assert.deepEqual(Object.keys(good.body).sort(), ['connected', 'connected_at', 'provider', 'scopes']);
  assert.equal((await ask(SERVICE_TOKEN, { code_verifier: wrong })).status, 400, 'a code is good once');
  const [row] = await rowsOf(service);
  assert.equal(row?.user_id, userId);
  assert.ok(row?.access_token.startsWith('v1.'));
});

test('without the feature nothing is connected, and what is connected can be given back', async (t) => {
  const service = await startWithDrive(t);
  await service.signIn('google', 'mara');
  await service.browser.open((await agreeTo(service, STORAGE)).back);
  assert.equal((await rowsOf(service)).length, 1);
  const [tenant] = await service.surface.tenants.list();
  await service.surface.tenants.changeFeatures(tenant?.tenantId ?? '', { cloud_drive: false });
  const { userId = '' } = (await service.surface.users.findByEmail('mara@example.com'))?.user ?? {};
  await service.surface.users.setPassword(userId, PASSWORD);
  const token = await login(service);
  for (const start of [DRIVE, STORAGE]) {
    const refused = await service.call('GET', start, { token });
    assert.deepEqual([refused.status, refused.body.feature], [403, 'cloud_drive'], refused.text);
  }
  const path = '/api/auth/storage-oauth';
  assert.equal((await service.call('GET', `${path}/status`, { token })).status, 200);
  assert.equal((await service.call('DELETE', `${path}/google`, { token })).status, 200);
  assert.deepEqual(await rowsOf(service), []);
});
