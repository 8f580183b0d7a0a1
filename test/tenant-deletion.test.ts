import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isoTime } from '../src/kit/clock.ts';
import { type AccountsPerson, PASSWORD } from './support/accounts.ts';
import { answerWhen, type Cloud, startCloud } from './support/cloud.ts';
import { hashOfFiles, hashOfRows } from './support/tenant-state.ts';
import { until } from './support/until.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** Those who follow the change feed come some time after a change. */
const FOLLOWS_LATER = ['feed_cursors', 'entity_references', 'jobs'];

describe('a tenant that its owner deletes', () => {
  let cloud: Cloud;
  before(async () => {
    cloud = await startCloud({ core: { lookForEndedMs: 50 } });
  });
  after(() => cloud.close());

  const again = async ({ email }: AccountsPerson): Promise<string> =>
    (await cloud.accounts.login(email)).body.access_token;
  const ask = (method: string, path: string, token: string, body?: object) =>
    cloud.accounts.ask(method, path, { token, ...(body && { body }) });
  const remove = ({ token, tenantId }: AccountsPerson) => ask('DELETE', `/api/tenants/${tenantId}`, token);
  const deletesAt = async (token: string): Promise<unknown> =>
    (JSON.parse((await ask('GET', '/api/auth/me', token)).text) as { tenant_deletes_at: unknown })
      .tenant_deletes_at;
  const folderOf = ({ tenantId }: AccountsPerson) => join(cloud.contentDir, tenantId);
  const stateOf = async (person: AccountsPerson): Promise<string[]> => [
    await hashOfFiles(folderOf(person)),
    await hashOfRows(cloud.opened.database, person.tenantId, FOLLOWS_LATER),
  ];
  /** A tenant's owner, with content. */
  async function author(): Promise<AccountsPerson> {
    const owner = await cloud.accounts.register();
    const made = await cloud.cores[0].call('POST', '/api/entity/character', {
      token: owner.token,
      body: { entity_id: 'mira', name: 'Mira' },
    });
    assert.equal(made.status, 201, made.text);
    return owner;
  }

  test('only an owner may, with no key, the own tenant, and not the one that runs the installation', async () => {
    const owner = await cloud.accounts.register();
    const other = await cloud.accounts.register();
    const admin = await cloud.accounts.person('admin', owner.tenantId);
    assert.equal((await remove(admin)).status, 403);
    assert.equal((await remove({ ...owner, token: other.token })).status, 404);
    const key = await cloud.accounts.ask('POST', '/api/api-keys', {
      token: owner.token,
      body: { name: 'script' },
    });
    const { key: text } = JSON.parse(key.text) as { key?: string };
    assert.ok(text, key.text);
    assert.equal((await remove({ ...owner, token: text })).status, 403);
    const refused = await remove(cloud.accounts.first);
    assert.deepEqual([refused.status, refused.body.code], [409, 'runs_installation']);
    assert.equal(await deletesAt(owner.token), null);
  });

  test('works on for 30 days, its people are told, and an owner may keep it', async () => {
    const owner = await author();
    const viewer = await cloud.accounts.person('viewer', owner.tenantId);
    const asked = await remove(owner);
    assert.equal(asked.status, 200, asked.text);
    const reply = JSON.parse(asked.text) as { deletes_at: string; export_url: string };
    const soonest = isoTime(cloud.clock.now() + 30 * DAY_MS - HOUR_MS);
    assert.ok(reply.deletes_at > soonest, reply.deletes_at);
    for (const { email } of [owner, viewer])
      assert.match(await cloud.accounts.mailTo(email, email === owner.email ? 2 : 1), /will be deleted on/);

    const token = await again(owner);
    assert.equal(await deletesAt(token), reply.deletes_at);
    const twice = await remove({ ...owner, token });
    assert.equal((JSON.parse(twice.text) as { deletes_at: string }).deletes_at, reply.deletes_at);
    const [core] = cloud.cores;
    const zip = await answerWhen(
      () => core.call('GET', reply.export_url, { token }),
      ({ status }) => status !== 401,
    );
    assert.deepEqual([zip.status, zip.headers['content-type']], [200, 'application/zip']);

    assert.equal((await ask('POST', `/api/tenants/${owner.tenantId}/keep`, await again(viewer))).status, 403);
    assert.equal((await ask('POST', `/api/tenants/${owner.tenantId}/keep`, token)).status, 200);
    assert.match(await cloud.accounts.mailTo(viewer.email, 2), /called off/);
    assert.equal(await deletesAt(await again(owner)), null);
  });

  test('loses access on the day, then content and accounts; others keep all of theirs', async () => {
    const [owner, other] = [await author(), await author()];
    const member = await cloud.accounts.person('editor', owner.tenantId);
    const before = await stateOf(other);
    assert.equal((await remove(owner)).status, 200);

    cloud.clock.pass(30 * DAY_MS + 60_000);
    const { status, body } = await cloud.accounts.login(owner.email);
    assert.deepEqual([status, body.code], [403, 'tenant_deleted']);
    assert.equal(
      (
        await cloud.accounts.ask('POST', '/api/auth/refresh', {
          body: { refresh_token: member.refreshToken },
        })
      ).status,
      401,
    );
    const service = { token: cloud.accounts.serviceToken };
    assert.equal(
      (await cloud.accounts.ask('GET', '/internal/ended-tenants', service)).text,
      '{"tenant_ids":[]}',
    );
    assert.equal(existsSync(folderOf(owner)), true);

    cloud.clock.pass(HOUR_MS);
    await until(async () => (await cloud.accounts.users.findByEmail(owner.email)) === null);
    assert.equal(existsSync(folderOf(owner)), false);
    const { database } = cloud.opened;
    assert.equal(await hashOfRows(database, owner.tenantId), await hashOfRows(database, 'nobody'));
    assert.equal(await cloud.accounts.users.findByEmail(member.email), null);
    assert.deepEqual(await stateOf(other), before);
    await cloud.accounts.ask('POST', '/api/auth/register', {
      body: { email: owner.email, password: PASSWORD },
    });
    assert.match(await cloud.accounts.mailTo(owner.email, 3), /there is no account yet/);
  });

  test('loses access on the day in the cores too, whenever its tokens were issued', async () => {
    const owner = await cloud.accounts.register();
    const made = await ask('POST', '/api/api-keys', owner.token, { name: 'script' });
    const { key } = JSON.parse(made.text) as { key: string };
    assert.equal((await remove(owner)).status, 200);
    cloud.clock.pass(30 * DAY_MS - 60_000);
    const token = await again(owner);
    const [core] = cloud.cores;
    const status = async (by: string) => (await core.call('GET', '/api/manifest', { token: by })).status;
    for (const by of [token, key]) await until(async () => (await status(by)) === 200);
    cloud.clock.pass(60_000);
    for (const by of [token, key]) assert.equal(await status(by), 401);
  });

  test('is told until its content is gone, and only its content going ends its accounts', async () => {
    const owner = await cloud.accounts.register();
    const service = { token: cloud.accounts.serviceToken };
    const path = `/internal/ended-tenants/${owner.tenantId}`;
    assert.equal((await cloud.accounts.ask('DELETE', path, service)).status, 404);
    assert.equal((await cloud.accounts.ask('DELETE', path, { token: owner.token })).status, 401);
    assert.ok(await cloud.accounts.users.findByEmail(owner.email));
  });
});
