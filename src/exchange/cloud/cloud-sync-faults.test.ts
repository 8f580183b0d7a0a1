import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import {
  answerPush,
  type CloudAnswer,
  type FakeCloud,
  json,
  page,
  pulledEntity,
  startFakeCloud,
} from '../../../test/support/fake-cloud.ts';
import { type Installation, startInstallation } from '../../../test/support/installs.ts';
import { listen } from '../../../test/support/listen.ts';
import { until } from '../../../test/support/until.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { tokenExample } from '../../people/auth/auth.contract.ts';
import { DatabaseError } from '../../platform/database/database.ts';
import type { SyncResult, SyncStatus } from '../sync/index.ts';

const entity = (more: object): object =>
  pulledEntity({
    entity_id: 'eve',
    path: 'Characters/eve/CH_eve.md',
    file_checksum: 'sha256:00',
    content: '---\nid: eve\n---\n',
    name: 'Eve',
    ...more,
  });

/** Rejects every token. */
const letsNobodyIn: CloudAnswer = (request, response) =>
  request.url === '/api/auth/refresh'
    ? json(200, { ...tokenExample, access_token: 'any' })(request, response)
    : json(401, { detail: 'Sign in again' })(request, response);

const textFile = (path: string) => ({
  path,
  entry_type: 'other',
  sha256: '0'.repeat(64),
  size_bytes: 1,
  content: 'x',
});

describe('a cloud that does not do as it should', () => {
  let cloud: FakeCloud;
  let install: Installation;
  let tree: Map<string, string>;

  before(async () => {
    cloud = await startFakeCloud();
    install = await startInstallation({ url: cloud.url, token: 'any' }, {});
    await install.core.mirror.sync(install.project, { kind: 'full' });
    tree = install.tree();
  });
  after(async () => {
    cloud.close();
    await install.core.close();
  });

  const round = (next: CloudAnswer): Promise<SyncResult> => {
    cloud.answers(next);
    return install.core.cloudSync.syncNow(install.project);
  };

  const cases: [string, CloudAnswer, string, RegExp][] = [
    ['a token that is good no more', letsNobodyIn, 'signed_out', /Sign in again/],
    ['a plan that was not paid', json(402, { detail: 'Pay first' }), 'payment_required', /Pay first/],
    ['a plan without sync', json(403, { detail: 'Needs cloud_sync' }), 'forbidden', /cloud_sync/],
    ['too many requests', json(429, { detail: 'Slowly' }, { 'retry-after': '7' }), 'busy', /Slowly/],
    ['a service that stops', json(503, { detail: 'Stopping' }), 'busy', /Stopping/],
    ['a failure', json(500, 'no json'), 'failed', /500/],
    ['a redirect', json(302, '', { location: 'http://example.com' }), 'refused', /302/],
    ['another form', json(200, { entities: 'none' }), 'not_understood', /not understood/],
    ['no JSON', json(200, '<html>'), 'not_understood', /not understood/],
    ['a broken connection', (request) => request.socket.destroy(), 'unreachable', /does not answer/],
  ];
  for (const [what, next, code, words] of cases) {
    test(`${what}: the round ends with the code ${code}, and nothing changes here`, async () => {
      const { error } = await round(next);
      assert.equal(error?.code, code);
      assert.match(error?.message ?? '', words);
      const { last } = (await install.core.call<SyncStatus>('GET', '/api/cloud-sync/status')).body;
      assert.equal(last?.error?.code, code);
      assert.deepEqual(install.tree(), tree);
    });
  }

  test('what it names is no way out of the folder, and bytes are what they were said to be', async () => {
    const paths = [
      '../evil.txt',
      '/etc/evil',
      'a/../../evil',
      '.git/config',
      '_RecycleBin/x',
      'node_modules/x',
      'a\\b',
      'a.txt',
    ];
    const lies = page({
      entities: [
        entity({}),
        entity({ entity_id: 'out', path: '../out/CH_out.md' }),
        entity({ entity_type: 'nothing', path: 'Nothing/x/x.md' }),
      ],
      files: paths.map(textFile),
    });
    const { error, left, pulled } = await round((request, response) =>
      json(200, request.method === 'GET' ? lies : { detail: 'no' })(request, response),
    );
    assert.equal(pulled, 0);
    assert.ok(left.length >= paths.length, JSON.stringify({ error, left }));
    assert.deepEqual(install.tree(), tree);
  });

  test('a cloud that says it has nothing deletes nothing that was never synced, and no mass of what was', async () => {
    await round((request, response) =>
      (request.method === 'GET' ? json(200, page({})) : answerPush())(request, response),
    );
    assert.deepEqual(install.tree(), tree);
    const { held } = await install.core.cloudSync.pullAll(install.project);
    assert.equal(held?.where, 'here');
    assert.deepEqual(install.tree(), tree);
    const forced = await install.core.cloudSync.pushAll(install.project, { force: true });
    assert.equal(forced.held?.where, 'here');
    assert.deepEqual(install.tree(), tree);
  });

  test('one that has more and more, from the same place, is not asked for ever', {
    timeout: 60_000,
  }, async () => {
    const { error, requests } = await round(json(200, page({ complete: false, has_more: true })));
    assert.equal(error?.code, 'not_understood');
    assert.ok(requests <= 2, `${requests} requests`);
  });

  test('rounds go on by themselves after one that could not begin', async (t) => {
    const { core, project } = install;
    const asked = t.mock.method(core.cloudSync.links, 'require');
    const away = async () => Promise.reject(new DatabaseError('unavailable', 'the database is away'));
    // Starting consumes the first call.
    asked.mock.mockImplementationOnce(away, 1);
    cloud.answers(json(503, { detail: 'Stopping' }));
    await core.cloudSync.start(project);
    await until(async () => (await core.cloudSync.status(project)).last?.error?.code === 'disk');
    const { periodic, next_at } = await core.cloudSync.status(project);
    await core.cloudSync.stop(project);
    assert.deepEqual([periodic, next_at === null], [true, false]);
  });

  test('what somebody changes while its new bytes are under way is not overwritten', async () => {
    const path = 'images/map.png';
    const asset = (sha256: string) =>
      page({ complete: false, files: [{ path, entry_type: 'asset', sha256, size_bytes: 3 }] });
    const serve =
      (bytes: string, meanwhile: () => Promise<void>): CloudAnswer =>
      async (request, response) => {
        if (request.url?.startsWith('/api/files/') !== true) {
          json(200, request.method === 'GET' ? asset(sha256Hex(bytes)) : { detail: 'no' })(request, response);
          return;
        }
        response.write(bytes.slice(0, 1));
        await meanwhile();
        response.end(bytes.slice(1));
      };
    const folder = join(install.core.contentDir, 'images');
    const isBeingWritten = () => readdirSync(folder).some((name) => name.endsWith('.tmp'));
    await round(serve('old', async () => undefined));
    assert.equal(install.read(path), 'old');
    await round(
      serve('new', async () => {
        await until(isBeingWritten);
        writeFileSync(join(install.core.contentDir, path), 'mine');
      }),
    );
    assert.equal(install.read(path), 'mine');
  });
});

describe('links', () => {
  let core: TestCore;
  let hub: TestCore;
  let url: string;

  before(async () => {
    [core, hub] = await Promise.all([startCore({ env: { ALLOW_PRIVATE_ENDPOINTS: 'true' } }), startCore()]);
    url = await listen(hub);
  });
  after(() => Promise.all([core.close(), hub.close()]));

  const calls = [
    ['POST', '/api/cloud-sync/push'],
    ['GET', '/api/cloud-sync/pull'],
    ['GET', '/api/cloud-sync/status'],
  ] as const;

  test('without one every route says which settings are missing', async () => {
    for (const [method, path] of calls) {
      const { status, body } = await core.call(method, path);
      assert.deepEqual([status, body.code], [409, 'not_configured']);
      assert.match(String(body.detail), /CLOUD_URL.*CLOUD_TOKEN/);
    }
  });

  test('tokens are kept sealed, exchanged before they run out, and no reply shows them', async () => {
    const { body } = await hub.call<{ access_token: string; refresh_token: string }>(
      'POST',
      '/api/auth/login',
      {
        token: null,
        body: { email: 'admin@example.com', password: 'correct horse battery' },
      },
    );
    const { links } = core.cloudSync;
    await links.save(LOCAL_TENANT, { url, ...body, expires_in: 1, account: 'admin@example.com' });
    const { status, text } = await core.call('POST', '/api/cloud-sync/push');
    assert.equal(status, 200, text);
    const again = await links.accessToken(LOCAL_TENANT);
    assert.notEqual(again, body.access_token);
    const shown = (await core.call('GET', '/api/cloud-sync/status')).text;
    for (const secret of [body.access_token, body.refresh_token, again]) assert.ok(!shown.includes(secret));
  });

  test('a token that is refused before its time, after a change of plan or role, is exchanged, and the round goes on', async () => {
    const { body } = await hub.call<{ refresh_token: string }>('POST', '/api/auth/login', {
      token: null,
      body: { email: 'admin@example.com', password: 'correct horse battery' },
    });
    const { links } = core.cloudSync;
    const early = { access_token: 'refused', refresh_token: body.refresh_token, expires_in: 3600 };
    await links.save(LOCAL_TENANT, { url, ...early, account: 'admin@example.com' });
    const reply = await core.call<SyncResult>('POST', '/api/cloud-sync/push');
    assert.deepEqual([reply.status, reply.body.error], [200, null], reply.text);
    assert.notEqual(await links.accessToken(LOCAL_TENANT), 'refused');
    assert.equal((await links.current(LOCAL_TENANT))?.ended, null);
  });

  test('a session that ended is told by its name until somebody signs in again', async () => {
    const { links } = core.cloudSync;
    const ended = {
      access_token: 'x',
      refresh_token: 'cnr_x.1.x',
      expires_in: 1,
      account: 'admin@example.com',
    };
    await links.save(LOCAL_TENANT, { url, ...ended });
    const { body } = await core.call<SyncResult>('POST', '/api/cloud-sync/push');
    assert.equal(body.error?.code, 'signed_out');
    assert.notEqual((await links.current(LOCAL_TENANT))?.ended, null);
  });

  test('an address in the own network is reached only where that is allowed', async () => {
    const guarded = await startInstallation(
      { url, token: hub.adminToken },
      { env: { ALLOW_PRIVATE_ENDPOINTS: 'false' } },
    );
    const { error } = await guarded.core.cloudSync.syncNow(guarded.project);
    assert.equal(error?.code, 'unreachable');
    assert.match(error?.message ?? '', /ALLOW_PRIVATE_ENDPOINTS/);
    await guarded.core.close();
  });

  test('settings link an installation, whose rounds come by themselves', async () => {
    const env = { ALLOW_PRIVATE_ENDPOINTS: 'true', CLOUD_URL: url, CLOUD_TOKEN: hub.adminToken };
    const linked = await startCore({ env });
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { body } = await linked.call<SyncStatus>('GET', '/api/cloud-sync/status');
      assert.equal(body.periodic, true);
      if (body.last_synced_at !== null) break;
      assert.ok(Date.now() < deadline, JSON.stringify(body));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await linked.close();
  });
});
