import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PASSWORD, startAccounts, type TestAccounts } from './support/accounts.ts';
import { startCore, type TestCore } from './support/core.ts';
import { NOBODY, startEdge, startFake, type TestEdge, type Told, tell } from './support/edge.ts';
import { startServiceProcess } from './support/service-process.ts';

const PUBLIC = 'https://world.example.com';

describe('accounts and core behind an edge', () => {
  let accounts: TestAccounts;
  let core: TestCore;
  let edge: TestEdge;
  before(async () => {
    const behind = { TRUSTED_PROXIES: 'loopback' };
    accounts = await startAccounts({ env: { ...behind, PUBLIC_URL: PUBLIC, RATE_LIMIT_LOGIN: '3' } });
    core = await startCore({ env: behind });
    const listen = { host: '127.0.0.1', port: 0 };
    edge = await startEdge({
      accountsUrl: await accounts.app.listen(listen),
      coreUrls: [await core.app.listen(listen)],
      env: behind,
    });
  });
  after(async () => {
    await edge.close();
    await core.close();
    await accounts.close();
  });

  /** As forwarded by the public address's balancer. */
  const ask = (
    method: string,
    path: string,
    { address = '203.0.113.1', body, ...headers }: Record<string, unknown> & { address?: string } = {},
  ): Promise<Told> =>
    tell(edge.url + path, {
      method,
      headers: {
        'x-forwarded-for': address,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'world.example.com',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const signIn = { email: '', password: PASSWORD };
  const cookiesOf = (told: Told): string =>
    (told.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

  test('a browser signs in, is known by its cookies and signs out, all under the one address', async () => {
    const { email } = accounts.first;
    const login = await ask('POST', '/api/auth/web/login', { body: { ...signIn, email }, origin: PUBLIC });
    assert.equal(login.status, 200, login.text);
    const set = login.headers['set-cookie'] ?? [];
    assert.equal(set.length, 2);
    for (const cookie of set) assert.match(cookie, /HttpOnly; Secure; SameSite=Lax/);
    const cookie = cookiesOf(login);
    assert.equal((await ask('GET', '/api/auth/web/session', { cookie })).body.email, email);
    assert.equal((await ask('GET', '/api/user/profile', { cookie })).body.email, email);
    const write = { cookie, body: { display_name: 'Mara' } };
    for (const origin of ['https://evil.example', 'null']) {
      const refused = await ask('POST', '/api/user/profile', { ...write, origin });
      assert.deepEqual([refused.status, refused.body.code], [403, 'cross_origin'], origin);
    }
    assert.equal((await ask('POST', '/api/user/profile', { ...write, origin: PUBLIC })).status, 200);
    const refreshed = await ask('POST', '/api/auth/refresh', { cookie, origin: PUBLIC });
    assert.equal(refreshed.status, 200, refreshed.text);
    assert.equal((await ask('POST', '/api/auth/web/logout', { cookie, origin: PUBLIC })).status, 200);
    assert.equal((await ask('GET', '/api/user/profile', { cookie })).status, 401);
  });

  test('a program signs in, and the users seam answers for its tenant', async () => {
    const { email, id } = accounts.first;
    const login = await ask('POST', '/api/auth/login', {
      body: { ...signIn, email },
      address: '203.0.113.2',
    });
    const authorization = `Bearer ${login.body.access_token}`;
    const users = (await ask('GET', '/api/users', { authorization })).body.users as { user_id: string }[];
    assert.deepEqual(
      users.map((user) => user.user_id),
      [id],
    );
    assert.equal((await ask('GET', `/api/users/${id}`, { authorization })).body.email, email);
    const { permissions } = (await ask('GET', '/api/groups/user-permissions', { authorization })).body;
    assert.ok((permissions as string[]).includes('delete_tenant'));
    assert.equal((await ask('GET', '/api/users/current', { authorization })).status, 501);
    const made = await ask('POST', '/api/api-keys', { authorization, body: { name: 'a program' } });
    assert.equal(made.status, 201, made.text);
    assert.equal(((await ask('GET', '/.well-known/jwks.json')).body.keys as unknown[]).length, 1);
  });

  test('limits count the address of the caller, not that of the edge', async () => {
    const tryIn = (address: string) =>
      ask('POST', '/api/auth/login', { body: { email: `${address}@x.example`, password: 'wrong' }, address });
    const statuses = [];
    for (let each = 0; each < 4; each += 1) statuses.push((await tryIn('198.51.100.1')).status);
    assert.deepEqual(statuses, [401, 401, 401, 429]);
    assert.equal((await tryIn('198.51.100.2')).status, 401);
  });

  test('content is served by the core, under the request id of the edge', async () => {
    const authorization = `Bearer ${core.adminToken}`;
    const body = { entity_id: 'mira', name: 'Mira', fields: {}, markdown_body: '# Mira\n' };
    const made = await ask('POST', '/api/entity/character', { authorization, body });
    assert.equal(made.status, 201, made.text);
    const found = await ask('GET', '/api/entity/character/mira', {
      authorization,
      'x-request-id': 'balancer-0001',
    });
    assert.equal(found.body.name, 'Mira');
    assert.equal(found.headers['x-request-id'], 'balancer-0001');
    const { etag = '' } = found.headers;
    const known = await ask('GET', '/api/entity/character/mira', { authorization, 'if-none-match': etag });
    assert.ok([200, 304].includes(known.status));
    assert.equal((await ask('GET', '/openapi.json')).status, 200);
    assert.match((await ask('GET', '/docs/')).text, /<html/i);
    assert.equal((await ask('GET', '/api/no-such-thing')).status, 404);
  });
});

test('serve --surface edge: a process that needs no database and stops cleanly', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-edge-'));
  const core = await startFake((_request, response) => response.end('core'));
  t.after(async () => {
    await core.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    DATA_DIR: folder,
    ACCOUNTS_URL: NOBODY,
    CORE_URL: `${core.url},${NOBODY}`,
    DEPLOYMENT: 'cloud',
  };
  const service = await startServiceProcess(env, ['--surface', 'edge']);
  t.after(() => service.end('SIGKILL'));
  for (let each = 0; each < 4; each += 1)
    assert.equal((await tell(`${service.url}/api/things`)).text, 'core');
  assert.equal((await tell(`${service.url}/api/auth/me`)).status, 503);
  assert.equal(await service.end('SIGTERM'), 0);
});
