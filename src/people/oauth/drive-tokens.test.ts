import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { mailIn } from '../../../test/support/accounts.ts';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase, openTestPostgres } from '../../../test/support/databases.ts';
import { agreeToDrive, connectDrive, googleDrive, userNamed } from '../../../test/support/oauth/drive.ts';
import { DRIVE_SCOPE } from '../../../test/support/oauth/openid-server.ts';
import { type OAuthService, SERVICE_TOKEN, startOAuthService } from '../../../test/support/oauth/service.ts';
import { until } from '../../../test/support/until.ts';
import { isoTime } from '../../kit/clock.ts';
import type { AccountsSurface } from '../../surfaces/accounts.surface.ts';
import type { ConnectionRow, OAuthTables } from './oauth.tables.ts';

const MARA = 'mara@example.com';
const HOUR_MS = 3_600_000;

interface TokenReply {
  access_token: string;
  expires_at: string | null;
  detail: string;
  code: string;
}

const ask = <Body = Record<string, unknown>>(
  service: OAuthService,
  path: string,
  body: object,
  method = 'POST',
) => service.call<Body>(method, `/internal/storage-oauth/${path}`, { token: SERVICE_TOKEN, body });

const askToken = (service: OAuthService, userId: string, refused?: string) =>
  ask<TokenReply>(service, 'google/token', { user_id: userId, ...(refused !== undefined && { refused }) });

async function tokenOf(service: OAuthService, userId: string, refused?: string): Promise<string> {
  const { status, body, text } = await askToken(service, userId, refused);
  assert.equal(status, 200, text);
  return body.access_token;
}

async function consentOf(service: OAuthService, userId: string) {
  const { status, body, text } = await ask(service, 'status', { user_id: userId });
  assert.equal(status, 200, text);
  return body;
}

const keep = (service: OAuthService, userId: string, tokens: object) =>
  ask(service, 'google/tokens', { user_id: userId, ...tokens }, 'PUT');

const rowsOf = ({ surface }: OAuthService): Promise<ConnectionRow[]> =>
  surface.database.system.read((db: Kysely<OAuthTables>) =>
    db.selectFrom('oauth_connections').selectAll().execute(),
  );

const outboxOf = ({ config }: OAuthService): string => join(config.dataDir, 'outbox');

function mailsTo(service: OAuthService, email: string): string[] {
  const folder = outboxOf(service);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.includes(`To: ${email}`));
}

forEachDatabase((_name, open) => {
  test('fifty who ask at once get one refreshed token, and a rotated refresh token is stored', async (t) => {
    const clock = createTestClock();
    const service = await startOAuthService(t, { open, clock });
    const { refreshing } = service.google;
    refreshing.rotates = true;
    const userId = await userNamed(service, MARA);
    assert.equal((await askToken(service, userId)).body.code, 'not_connected');
    await connectDrive(service, userId);
    const first = await tokenOf(service, userId);
    assert.equal(await tokenOf(service, userId), first);
    assert.equal(refreshing.count, 0);
    assert.equal((await consentOf(service, userId)).refreshed_at, null);

    const seen = new Set([first]);
    for (const round of [1, 2, 3]) {
      clock.pass(HOUR_MS - 30_000);
      const tokens = new Set(await Promise.all(Array.from({ length: 50 }, () => tokenOf(service, userId))));
      assert.deepEqual([tokens.size, refreshing.count], [1, round]);
      for (const token of tokens) seen.add(token);
    }
    assert.equal(seen.size, 4, 'every refresh gives another token');
    const consent = await consentOf(service, userId);
    assert.deepEqual(
      [consent.connected, consent.scopes, consent.refreshed_at, consent.problem],
      [true, [DRIVE_SCOPE], isoTime(clock.now()), null],
    );

    const [row] = await rowsOf(service);
    assert.ok(row);
    for (const sealed of [row.access_token, row.refresh_token, row.expires_at])
      assert.match(sealed ?? '', /^v1\./);
    for (const token of seen) assert.ok(!JSON.stringify(row).includes(token));
  });

  test('a token that the drive refused is replaced once', async (t) => {
    const service = await startOAuthService(t, { open });
    const { refreshing } = service.google;
    const userId = await userNamed(service, MARA);
    await connectDrive(service, userId);
    const refused = await tokenOf(service, userId);
    const tokens = new Set(
      await Promise.all(Array.from({ length: 10 }, () => tokenOf(service, userId, refused))),
    );
    assert.deepEqual([tokens.size, tokens.has(refused), refreshing.count], [1, false, 1]);
    assert.deepEqual(
      new Set([await tokenOf(service, userId, refused)]),
      tokens,
      'it is the old one that is refused',
    );
    assert.equal(refreshing.count, 1);
  });

  test('a provider that is down or refuses this service ends nothing', async (t) => {
    const clock = createTestClock();
    const service = await startOAuthService(t, { open, clock });
    const { google } = service;
    const userId = await userNamed(service, MARA);
    await connectDrive(service, userId);
    clock.pass(HOUR_MS);
    google.state = 'down';
    const replies = await Promise.all(Array.from({ length: 5 }, () => askToken(service, userId)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([503]));
    google.state = 'up';
    for (const [status, error] of [
      [401, 'invalid_client'],
      [400, 'invalid_request'],
    ] as const) {
      google.refreshing.refusal = { status, error };
      assert.equal((await askToken(service, userId)).status, 503, error);
    }
    google.refreshing.refusal = null;
    assert.equal((await consentOf(service, userId)).connected, true);
    await tokenOf(service, userId);
  });

  test('a refused refresh token ends the connection with one mail; the user can connect again', async (t) => {
    const clock = createTestClock();
    const service = await startOAuthService(t, { open, clock });
    const { refreshing } = service.google;
    const userId = await userNamed(service, MARA);
    await connectDrive(service, userId);
    clock.pass(HOUR_MS);
    refreshing.refusal = { status: 400, error: 'invalid_grant' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => askToken(service, userId)));
    for (const { status, body } of replies) {
      assert.deepEqual([status, body.code], [409, 'not_connected']);
      assert.match(body.detail, /Connect Google again/);
    }
    assert.equal((await askToken(service, userId)).status, 409);
    assert.equal(refreshing.count, 1);
    assert.deepEqual(await rowsOf(service), [], 'no token is left');
    const consent = await consentOf(service, userId);
    assert.equal(consent.connected, false);
    assert.match(String(consent.problem), /no longer lets Canonry/);
    const mail = await mailIn(outboxOf(service), MARA, 1);
    assert.match(mail, /Nothing was deleted/);
    assert.match(mail, /To connect it again/);

    const { body: session } = await service.call<TokenReply>('POST', '/api/auth/login', {
      body: { email: MARA, password: 'a long pass phrase' },
    });
    const token = session.access_token;
    const shown = async () =>
      (await service.call<{ connections: object[] }>('GET', '/api/auth/storage-oauth/status', { token })).body
        .connections;
    const ended = { provider: 'google', connected: false, scopes: [], connected_at: null };
    assert.deepEqual(await shown(), [{ ...ended, problem: consent.problem }]);

    refreshing.refusal = null;
    await connectDrive(service, userId);
    assert.equal((await consentOf(service, userId)).problem, null);
    await tokenOf(service, userId);

    clock.pass(HOUR_MS);
    refreshing.refusal = { status: 401, error: 'unauthorized_client' };
    assert.equal((await askToken(service, userId)).status, 409);
    assert.equal((await ask(service, 'google/disconnect', { user_id: userId })).status, 200);
    assert.equal((await consentOf(service, userId)).problem, null, 'what ended can be removed');
    await mailIn(outboxOf(service), MARA, 2);
    assert.equal(mailsTo(service, MARA).length, 2, 'one for each end');
  });

  test('tokens of a desktop install are kept and refreshed; those that are left out stay', async (t) => {
    const clock = createTestClock();
    const service = await startOAuthService(t, { open, clock });
    const drive = googleDrive(service);
    const given = await drive.connect(await agreeToDrive(service));
    const refresh_token = given.refreshToken ?? '';
    const userId = await userNamed(service, MARA);
    const none = await keep(service, userId, {});
    assert.deepEqual([none.status, none.body.code], [409, 'not_connected']);
    assert.equal((await keep(service, 'nobody', { refresh_token })).status, 404);
    assert.equal((await keep(service, userId, { access_token: 'two\nlines' })).status, 422);

    const kept = await keep(service, userId, { refresh_token });
    assert.deepEqual([kept.status, kept.body.connected, kept.body.scopes], [200, true, [DRIVE_SCOPE]]);
    assert.ok(!kept.text.includes(refresh_token));
    const refreshed = await tokenOf(service, userId);
    assert.ok(refreshed);
    assert.equal(service.google.refreshing.count, 1);

    const expires_at = isoTime(clock.now() + HOUR_MS);
    const next = await keep(service, userId, { access_token: given.accessToken, expires_at });
    assert.equal(next.body.expires_at, expires_at);
    assert.equal(await tokenOf(service, userId), given.accessToken);
    assert.equal((await keep(service, userId, {})).body.expires_at, expires_at);
    assert.notEqual(await tokenOf(service, userId, given.accessToken), given.accessToken);
    assert.equal(service.google.refreshing.count, 2, 'by the refresh token that was left out');
    await keep(service, userId, { access_token: given.accessToken });
    assert.equal((await consentOf(service, userId)).expires_at, null, 'the expiry was that of another token');

    const [row] = await rowsOf(service);
    for (const token of [given.accessToken, refresh_token]) assert.ok(!JSON.stringify(row).includes(token));
  });

  test('an access token that ends without a refresh token ends the connection', async (t) => {
    const clock = createTestClock();
    const service = await startOAuthService(t, { open, clock });
    const userId = await userNamed(service, MARA);
    await keep(service, userId, { access_token: 'a.b', expires_at: isoTime(clock.now() + HOUR_MS) });
    assert.equal(await tokenOf(service, userId), 'a.b');
    clock.pass(HOUR_MS);
    assert.equal((await askToken(service, userId)).body.code, 'not_connected');
    assert.ok((await consentOf(service, userId)).problem);
  });

  test('disconnecting revokes at the provider, also during a refresh, and may be repeated', async (t) => {
    const clock = createTestClock();
    const service = await startOAuthService(t, { open, clock });
    const { google } = service;
    const drive = googleDrive(service);
    const { refreshToken } = await drive.connect(await agreeToDrive(service));
    const userId = await userNamed(service, MARA);
    await keep(service, userId, { refresh_token: refreshToken });
    google.refreshing.pauseMs = 400;
    const { begun } = google.refreshing;
    const asked = askToken(service, userId);
    await until(() => google.refreshing.begun > begun);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await ask(service, 'google/disconnect', { user_id: userId });
      assert.deepEqual([status, body.connected, body.problem], [200, false, null]);
    }
    assert.equal((await asked).status, 409);
    assert.deepEqual(await rowsOf(service), [], 'the refresh brought nothing back');
    await assert.rejects(drive.refresh(refreshToken ?? ''), { code: 'refused' });
  });
});

test('each user gets their own token, other surfaces alone may ask, and closed accounts get none', async (t) => {
  const service = await startOAuthService(t);
  const { users } = service.surface;
  const mara = await userNamed(service, MARA);
  const other = await userNamed(service, 'other@example.com');
  await connectDrive(service, mara);
  assert.equal((await askToken(service, other)).status, 409);
  assert.equal((await askToken(service, 'nobody')).status, 409);
  assert.equal((await consentOf(service, other)).connected, false);
  await connectDrive(service, other);
  assert.notEqual(await tokenOf(service, mara), await tokenOf(service, other));
  await ask(service, 'google/disconnect', { user_id: other });
  await tokenOf(service, mara);

  const userToken = await service.register('third@example.com');
  const body = { user_id: mara };
  for (const path of ['status', 'google/token', 'google/disconnect']) {
    for (const token of [undefined, 'x', userToken]) {
      const given = { body, ...(token !== undefined && { token }) };
      assert.equal((await service.call('POST', `/internal/storage-oauth/${path}`, given)).status, 401, path);
    }
  }
  assert.equal((await service.call('PUT', '/internal/storage-oauth/google/tokens', { body })).status, 401);
  for (const [provider, status] of [
    ['github', 404],
    ['nobody', 404],
  ] as const)
    assert.equal((await ask(service, `${provider}/token`, body)).status, status, provider);

  const { tenantId = '' } = (await users.findById(mara)) ?? {};
  const member = await users.create({ email: 'member@example.com', password: null, tenantId }, () => ({
    role: 'viewer',
    tenantRole: 'viewer',
  }));
  await connectDrive(service, member.userId);
  await tokenOf(service, member.userId);
  await users.update(member.userId, { isActive: false });
  assert.equal((await askToken(service, member.userId)).body.code, 'not_connected');
});

test('the leap second at which a token ends is taken as the one before it', async (t) => {
  const service = await startOAuthService(t, { clock: createTestClock() });
  const userId = await userNamed(service, MARA);
  const tokens = { access_token: 'ya29.leap', expires_at: '2016-12-31T23:59:60Z' };
  const { status, body } = await keep(service, userId, tokens);
  assert.deepEqual([status, body.expires_at], [200, '2016-12-31T23:59:59.000Z']);
});

test('without a provider the setting is named', async (t) => {
  const env = { OAUTH_GOOGLE_CLIENT_ID: '', OAUTH_GOOGLE_CLIENT_SECRET: '', OAUTH_GOOGLE_ISSUER: '' };
  const service = await startOAuthService(t, { env });
  const userId = await userNamed(service, MARA);
  const consent = await consentOf(service, userId);
  assert.deepEqual([consent.provider, consent.configured, consent.connected], [null, false, false]);
  const { status, body } = await askToken(service, userId);
  assert.deepEqual([status, body.code], [409, 'not_configured']);
  assert.match(body.detail, /OAUTH_GOOGLE_CLIENT_ID/);
  assert.equal((await ask(service, 'google/disconnect', { user_id: userId })).status, 200);
});

// Only one process opens an SQLite file.
const skip = process.env.CANONRY_TEST_POSTGRES === 'off' && 'no PostgreSQL server';

async function tokenIn({ app }: AccountsSurface, userId: string): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: '/internal/storage-oauth/google/token',
    headers: { authorization: `Bearer ${SERVICE_TOKEN}` },
    payload: { user_id: userId },
  });
  assert.equal(reply.statusCode, 200, reply.body);
  return reply.json().access_token;
}

test('two processes spend a refresh token once', { skip }, async (t) => {
  const clock = createTestClock();
  const service = await startOAuthService(t, { open: openTestPostgres, clock });
  const { refreshing } = service.google;
  Object.assign(refreshing, { rotates: true, pauseMs: 100 });
  const userId = await userNamed(service, MARA);
  await connectDrive(service, userId);
  const processes = [service.surface, await service.another()];
  for (const round of [1, 2, 3]) {
    clock.pass(HOUR_MS);
    const asked = processes.flatMap((each) => Array.from({ length: 5 }, () => tokenIn(each, userId)));
    assert.equal(new Set(await Promise.all(asked)).size, 1);
    assert.equal(refreshing.count, round);
  }
});

test('a process that dies while it waits for the provider keeps no other one from refreshing', {
  skip,
}, async (t) => {
  const clock = createTestClock();
  const service = await startOAuthService(t, { open: openTestPostgres, clock });
  const { google } = service;
  const userId = await userNamed(service, MARA);
  await connectDrive(service, userId);
  clock.pass(HOUR_MS);
  const dying = await service.another();
  google.state = 'frozen';
  const before = google.asked;
  const lost = tokenIn(dying, userId).catch(() => null);
  await until(() => google.asked > before);
  // What the death of the process would do.
  await dying.database.close();
  google.state = 'up';
  await tokenOf(service, userId);
  assert.equal(google.refreshing.count, 1);
  await google.close();
  assert.equal(await lost, null);
});
