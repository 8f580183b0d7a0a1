import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PASSWORD } from './support/accounts.ts';
import { answerWhen, type CloudCore, startCloud } from './support/cloud.ts';
import { startCore } from './support/core.ts';

const cloud = await startCloud();
after(() => cloud.close());
const { accounts, cores, clock, contentDir } = cloud;
const [one, other] = cores;
const { first: owner } = accounts;
const CHARACTERS = '/api/entity/character';

const read = (core: CloudCore, token: string | null, path = CHARACTERS) =>
  core.call<{ code: string; detail: string; total: number }>('GET', path, { token });
const statusAt = async (core: CloudCore, token: string | null, path?: string) =>
  (await read(core, token, path)).status;
const create = (core: CloudCore, token: string, id: string) =>
  core.call<{ detail: string }>('POST', CHARACTERS, { token, body: { entity_id: id, name: id } });
const isRefused = ({ status }: { status: number }) => status === 401;
const refusedEverywhere = async (token: string, code: string) => {
  for (const core of cores) {
    const { body } = await answerWhen(() => read(core, token), isRefused);
    assert.equal(body.code, code);
  }
};
const asOwner = (method: string, path: string, body?: object) =>
  accounts.ask(method, path, { token: owner.token, body });
const asService = (method: string, path: string, body?: object) =>
  accounts.ask(method, path, { token: accounts.serviceToken, body });
const refreshed = async (refreshToken: string) => {
  const { body } = await accounts.ask('POST', '/api/auth/refresh', { body: { refresh_token: refreshToken } });
  return body.access_token;
};

test('a token of the accounts service is good at every core, and no content is open without one', async () => {
  for (const core of cores) {
    assert.equal(await statusAt(core, owner.token), 200);
    for (const path of [CHARACTERS, '/api/templates', '/api/tenant/active-templates', '/api/sync/status'])
      assert.equal(await statusAt(core, null, path), 401, path);
    assert.equal(await statusAt(core, null, '/health'), 200);
  }
});

test('people and logs are not served here', async () => {
  const gone = ['/api/users', '/api/auth/me', '/api/api-keys', '/api/services/logs/list'];
  for (const path of gone) assert.equal(await statusAt(one, owner.token, path), 404, path);
});

test('a tenant has its default project from its first use on, once, with the starter templates', async () => {
  const { token, tenantId } = await accounts.register();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => read(cores[index % 2] as CloudCore, token, '/api/templates')),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(new Set(answers.map(({ body }) => body.total)).size, 1);
  assert.deepEqual(readdirSync(join(contentDir, tenantId)), ['default']);
});

test('what one core writes another reads, and a tenant sees its own alone', async () => {
  const stranger = await accounts.register();
  assert.equal((await create(one, owner.token, 'mira')).status, 201);
  assert.equal(await statusAt(other, owner.token, `${CHARACTERS}/mira`), 200);
  assert.equal(await statusAt(other, stranger.token, `${CHARACTERS}/mira`), 404);
  const forged = { 'x-tenant-id': owner.tenantId };
  const asForged = async (query: string) => {
    const { status } = await other.call('GET', `${CHARACTERS}/mira${query}`, {
      token: stranger.token,
      headers: forged,
    });
    return status;
  };
  assert.equal(await asForged(''), 404);
  assert.equal(await asForged(`?tenant_id=${owner.tenantId}`), 422, 'no name of this route');
  assert.equal((await create(other, stranger.token, 'mira')).status, 201);
});

test('signing out ends the session at every core', async () => {
  const person = await accounts.person('editor');
  const again = await accounts.login(person.email);
  assert.equal(await statusAt(one, person.token), 200);
  await accounts.ask('POST', '/api/auth/logout', { token: person.token, body: {} });
  await refusedEverywhere(person.token, 'session_ended');
  assert.equal(await statusAt(one, again.body.access_token), 200);
});

test('somebody whose account is closed is out, and stays out after coming back with the old token', async () => {
  const person = await accounts.person('editor');
  for (const core of cores) assert.equal(await statusAt(core, person.token), 200);
  await asOwner('POST', `/api/auth/users/${person.id}/deactivate`);
  await refusedEverywhere(person.token, 'token_expired');
  assert.equal(await refreshed(person.refreshToken), undefined);
});

test('a deleted account and a changed password end tokens', async () => {
  const [leaving, careful] = [await accounts.person('viewer'), await accounts.person('viewer')];
  await accounts.users.remove(leaving.id, () => {});
  await refusedEverywhere(leaving.token, 'token_expired');
  await accounts.users.setPassword(careful.id, `${PASSWORD} anew`);
  await refusedEverywhere(careful.token, 'token_expired');
});

test('a role changes for tokens from then on, in the same second too', async () => {
  const person = await accounts.person('viewer');
  assert.equal((await create(one, person.token, 'early')).status, 403);
  await asOwner('PATCH', `/api/auth/users/${person.id}/role`, { role: 'editor' });
  const token = await refreshed(person.refreshToken);
  await refusedEverywhere(person.token, 'token_expired');
  assert.equal((await create(one, token, 'later')).status, 201);
});

test('a plan that changes opens a feature and moves the limits; overrides count as well', async () => {
  const person = await accounts.register();
  const body = { content: 'nothing that would be taken' };
  const write = (token: string) =>
    one.call<{ feature: string }>('PUT', '/api/templates/character', { token, body });
  const refused = await write(person.token);
  assert.deepEqual([refused.status, refused.body.feature], [403, 'custom_templates']);
  const changed = await asService('PUT', `/api/users/${person.id}/subscription`, { plan: 'indie' });
  assert.deepEqual([changed.status, changed.body.plan], [200, 'indie']);
  await refusedEverywhere(person.token, 'token_expired');
  const paid = await refreshed(person.refreshToken);
  assert.equal((await write(paid)).status, 422);
  await asOwner('PATCH', `/api/tenants/${person.tenantId}/features`, {
    features: { custom_templates: false },
  });
  await refusedEverywhere(paid, 'token_expired');
  const { body: login } = await accounts.login(person.email);
  assert.equal((await write(login.access_token)).status, 403);
});

test('the subscription is set by services alone, and for users that there are', async () => {
  const path = `/api/users/${owner.id}/subscription`;
  assert.equal((await asOwner('PUT', path, { plan: 'team' })).status, 401);
  assert.equal((await asService('PUT', path, { plan: 'gold' })).status, 422);
  const nobody = '/api/users/00000000-0000-4000-8000-000000000000/subscription';
  assert.equal((await asService('PUT', nobody, { plan: 'team' })).status, 404);
});

test('a key rotation logs nobody out', async () => {
  const person = await accounts.person('viewer');
  assert.equal(await statusAt(one, person.token), 200);
  await cloud.rotateKeys();
  // The accounts service looks for a new key every five seconds.
  clock.pass(6_000);
  const { body } = await accounts.login(person.email);
  const headOf = (token: string) => token.split('.')[0];
  assert.notEqual(headOf(body.access_token), headOf(person.token));
  for (const core of cores) {
    assert.equal(await statusAt(core, body.access_token), 200);
    assert.equal(await statusAt(core, person.token), 200);
  }
});

test('an API key stands for its owner until it is deleted', async () => {
  const made = await asOwner('POST', '/api/api-keys', { name: 'reader', scopes: ['read'] });
  const { key, key_id } = made.body as unknown as { key: string; key_id: string };
  for (const core of cores) assert.equal(await statusAt(core, key), 200);
  assert.equal((await create(one, key, 'by_a_reader')).status, 403);
  assert.equal(await statusAt(one, `${key.slice(0, -1)}_`), 401);
  await asOwner('DELETE', `/api/api-keys/${key_id}`);
  await refusedEverywhere(key, 'invalid_api_key');
});

test('a token that has run out is refused', async () => {
  const { token, refreshToken } = await accounts.person('viewer');
  assert.equal(await statusAt(one, token), 200);
  clock.pass(16 * 60_000);
  assert.equal((await read(one, token)).body.code, 'token_expired');
  owner.token = await refreshed(owner.refreshToken);
  assert.equal(await statusAt(one, await refreshed(refreshToken)), 200);
});

test('tokens of a self-hosted core and of the cloud are strangers to each other', async () => {
  const selfHosted = await startCore();
  try {
    assert.equal((await read(one, selfHosted.adminToken)).body.code, 'invalid_token');
    const { status } = await selfHosted.call('GET', CHARACTERS, { token: owner.token });
    assert.equal(status, 401);
  } finally {
    await selfHosted.close();
  }
});

test('calls between services are for services', async () => {
  for (const path of ['/internal/access-changes', '/internal/access-changes?after=3']) {
    assert.equal((await accounts.ask('GET', path)).status, 401);
    assert.equal((await asOwner('GET', path)).status, 401);
    assert.equal((await asService('GET', path)).status, 200);
  }
  assert.equal((await asOwner('POST', '/internal/api-keys/introspect', { key: 'x' })).status, 401);
});

test('health tells nobody how much the tenants have', async () => {
  const { token } = await accounts.register();
  assert.equal((await create(one, token, 'counted')).status, 201);
  for (const path of ['/health', '/api/health']) {
    const { body } = await one.call('GET', path);
    assert.deepEqual(body, { status: 'healthy', entity_count: 0, entity_types: [] }, path);
  }
});

test('health says that the accounts service answers', async () => {
  const { body } = await one.call('GET', '/api/services/health');
  assert.deepEqual([body.accounts, body.storage, body.database], ['connected', 'accessible', 'connected']);
});
