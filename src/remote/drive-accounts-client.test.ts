import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createTestClock } from '../../test/support/auth.ts';
import { connectDrive, userNamed } from '../../test/support/oauth/drive.ts';
import { type OAuthService, SERVICE_TOKEN, startOAuthService } from '../../test/support/oauth/service.ts';
import { isoTime } from '../kit/clock.ts';
import { createDriveAccountsClient } from './drive-accounts-client.ts';
import { unconfiguredDriveAccounts } from './no-drive-accounts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function start(t: TestContext, env: Record<string, string> = {}) {
  const clock = createTestClock();
  const service = await startOAuthService(t, { clock, env });
  const clientAt = (url: string, serviceToken = SERVICE_TOKEN) =>
    createDriveAccountsClient({ url, serviceToken, clock });
  const userId = await userNamed(service, 'mara@example.com');
  return { clock, service, clientAt, accounts: clientAt(service.url), userId };
}

/** Counts the calls on their way to the service. */
async function relayTo(t: TestContext, { url }: OAuthService) {
  const calls: string[] = [];
  const relay = createServer(async (request, response) => {
    calls.push(request.url?.split('/').at(-1) ?? '');
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = await fetch(`${url}${request.url}`, {
      method: request.method ?? '',
      headers: { authorization, 'content-type': type },
      body: Buffer.concat(chunks),
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  t.after(() => relay.close());
  return { calls, url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` };
}

test('a consent is seen, kept and ended over HTTP', async (t) => {
  const { clock, accounts, userId } = await start(t);
  const nothing = {
    isConfigured: true,
    provider: 'google',
    isConnected: false,
    scopes: [],
    expiresAt: null,
    refreshedAt: null,
    problem: null,
  };
  assert.deepEqual(await accounts.status(userId), nothing);
  const isMissing = { status: 409, extras: { code: 'not_connected' } };
  await assert.rejects(accounts.accessToken(userId), isMissing);
  await assert.rejects(accounts.keepTokens(userId, {}), isMissing);
  await assert.rejects(accounts.keepTokens('nobody', { accessToken: 'a' }), { status: 404 });
  const expiresAt = isoTime(clock.now() + HOUR_MS);
  const kept = await accounts.keepTokens(userId, { accessToken: 'a.b', refreshToken: 'r', expiresAt });
  const scopes = ['https://www.googleapis.com/auth/drive.file'];
  assert.deepEqual(kept, { ...nothing, isConnected: true, scopes, expiresAt });
  assert.deepEqual(await accounts.status(userId), kept);
  assert.equal(await accounts.accessToken(userId), 'a.b');
  await accounts.keepTokens(userId, { accessToken: 'c.d', expiresAt });
  assert.equal(await accounts.accessToken(userId), 'c.d', 'the one before is forgotten');
  await accounts.disconnect(userId);
  await accounts.disconnect(userId);
  await assert.rejects(accounts.accessToken(userId), isMissing);
  assert.deepEqual(await accounts.status(userId), nothing);
});

test('a token is asked for once a minute, and again when it ends or the drive refuses it', async (t) => {
  const { clock, service, clientAt, userId } = await start(t);
  await connectDrive(service, userId);
  const { calls, url } = await relayTo(t, service);
  const accounts = clientAt(url);
  const asked = () => calls.splice(0).filter((call) => call === 'token').length;
  const first = await accounts.accessToken(userId);
  const round = await Promise.all(Array.from({ length: 20 }, () => accounts.accessToken(userId)));
  assert.deepEqual([new Set([first, ...round]).size, asked()], [1, 1]);
  clock.pass(MINUTE_MS);
  assert.equal(await accounts.accessToken(userId), first);
  assert.equal(asked(), 1);
  const second = await accounts.accessToken(userId, first);
  assert.notEqual(second, first);
  assert.equal(await accounts.accessToken(userId), second);
  assert.equal(service.google.refreshing.count, 1);
  clock.pass(HOUR_MS - 90_000);
  assert.equal(await accounts.accessToken(userId), second);
  asked();
  clock.pass(45_000);
  const third = await accounts.accessToken(userId);
  assert.notEqual(third, second, 'less than a minute was left');
  assert.equal(asked(), 1);
});

test('refusals come as the accounts service words them; anything else is a 503', async (t) => {
  const { clock, service, clientAt, accounts, userId } = await start(t);
  await connectDrive(service, userId);
  clock.pass(HOUR_MS);
  service.google.state = 'down';
  await assert.rejects(accounts.accessToken(userId), {
    status: 503,
    message: /^The provider does not answer/,
  });
  service.google.state = 'up';
  service.google.refreshing.refusal = { status: 400, error: 'invalid_grant' };
  await assert.rejects(accounts.accessToken(userId), { status: 409, message: /Connect Google again/ });
  assert.match((await accounts.status(userId)).problem ?? '', /Connect Google again/);

  const down = { status: 503, message: /^The accounts service does not answer/ };
  await assert.rejects(clientAt(service.url, 'not the token of services').status(userId), down);
  await assert.rejects(clientAt('http://127.0.0.1:9').accessToken(userId), down);
  const strange = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":7}'),
  );
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  t.after(() => strange.close());
  const { port } = strange.address() as AddressInfo;
  await assert.rejects(clientAt(`http://127.0.0.1:${port}`).status(userId), { status: 503 });
});

test('without a provider, or an accounts service, the setting is named', async (t) => {
  const { accounts, userId } = await start(t, {
    OAUTH_GOOGLE_CLIENT_ID: '',
    OAUTH_GOOGLE_CLIENT_SECRET: '',
    OAUTH_GOOGLE_ISSUER: '',
  });
  for (const each of [accounts, unconfiguredDriveAccounts]) {
    assert.equal((await each.status(userId)).isConfigured, false);
    const refusal = { status: 409, message: /OAUTH_GOOGLE_CLIENT_ID/, extras: { code: 'not_configured' } };
    await assert.rejects(each.accessToken(userId), refusal);
    await assert.rejects(each.keepTokens(userId, { accessToken: 'a' }), refusal);
  }
  await accounts.disconnect(userId);
  await assert.rejects(unconfiguredDriveAccounts.disconnect(userId), { status: 409 });
});
