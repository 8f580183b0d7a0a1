import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type CatalogFiles,
  type CatalogServer,
  entryFor,
  newKeeper,
  signedIndex,
  startCatalogServer,
} from '../../../../test/support/catalog.ts';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { pluginZip } from '../../../../test/support/plugins.ts';
import type { PluginReply } from '../plugins.contract.ts';
import type { CatalogItemReply, CatalogReply } from './catalog.contract.ts';

type Installed = PluginReply & { detail: string; code: string };

forEachDatabase((_name, open) => {
  describe('the catalog', () => {
    const keeper = newKeeper();
    const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
    let core: TestCore;
    let server: CatalogServer;
    let sequence = 0;
    before(async () => {
      server = await startCatalogServer();
      core = await startCore({
        open,
        env: {
          PLUGIN_CATALOG: join(folder, 'catalog.json'),
          PLUGIN_CATALOG_KEY: keeper.key,
          ALLOW_PRIVATE_ENDPOINTS: 'true',
          UPLOAD_SPACE_MB: '1',
        },
      });
    });
    after(async () => {
      await core.close();
      await server.close();
      rmSync(folder, { recursive: true });
    });

    const put = (files: CatalogFiles) => {
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    };
    const publish = (...items: object[]) => {
      sequence += 1;
      put(signedIndex(keeper, items, { sequence }));
    };
    /** An archive beside the catalog, and its entry. */
    const offer = (id: string, manifest: object = {}, more: object = {}): Record<string, unknown> => {
      const archive = pluginZip({ id, ...manifest });
      put({ [`${id}.zip`]: archive });
      return entryFor(archive, { id, url: `${id}.zip`, ...more });
    };
    const list = async (query = '') => (await core.call<CatalogReply>('GET', `/api/catalog${query}`)).body;
    const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);
    const itemOf = async (id: string): Promise<CatalogItemReply> => {
      const item = (await list()).items.find((each) => each.id === id);
      assert.ok(item, id);
      return item;
    };
    const install = (id: string, token = core.adminToken) =>
      core.call<Installed>('POST', `/api/catalog/${id}/install`, { token });
    const uploads = () => readdirSync(join(core.config.dataDir, 'uploads'));
    const plugin = (...path: string[]) => join(core.contentDir, '_Plugins', ...path);

    test('it lists what can be installed, by source and by words', async () => {
      publish(
        offer('word-count', {}, { description: 'Counts words.', icon: '📏' }),
        offer('sky', {}, { source: 'official', name: 'Night sky', author: 'Tam', min_canonry: '99.0.0' }),
      );
      const { configured, problem, items, checked_at } = await list();
      assert.deepEqual([configured, problem, items.length], [true, null, 2]);
      assert.ok(checked_at);
      const [first, second] = items;
      assert.deepEqual(
        [first?.icon, first?.homepage, first?.installed, first?.has_update, first?.is_compatible],
        ['📏', null, null, false, true],
      );
      assert.equal(second?.is_compatible, false);
      assert.ok(!('url' in (first ?? {})));
      assert.deepEqual(await idsOf('?source=official'), ['sky']);
      assert.deepEqual(await idsOf('?kind=plugins&source=community'), ['word-count']);
      assert.deepEqual(await idsOf('?q=NIGHT%20tam'), ['sky']);
      assert.deepEqual(await idsOf('?q=night%20goals'), []);
      assert.equal((await core.call('GET', '/api/catalog?kind=skills')).status, 422);
      assert.equal((await core.call('GET', '/api/catalog', { token: null })).status, 401);
    });

    test('a plugin is installed, and updated once the catalog has a newer version', async () => {
      publish(offer('goals'));
      const first = await install('goals');
      assert.equal(first.status, 201, first.text);
      assert.deepEqual([first.body.id, first.body.state, first.body.version], ['goals', 'enabled', '1.0.0']);
      assert.ok(first.body.panels[0]?.url);
      assert.ok(first.body.installed_by);
      const listed = await itemOf('goals');
      assert.deepEqual(
        [listed.installed, listed.has_update],
        [{ version: '1.0.0', state: 'enabled' }, false],
      );
      publish(offer('goals', { version: '1.10.0' }, { version: '1.10.0' }));
      assert.equal((await itemOf('goals')).has_update, true);
      assert.equal((await install('goals')).body.version, '1.10.0');
      assert.equal((await itemOf('goals')).has_update, false);
      assert.deepEqual(uploads(), []);
    });

    test('what needs consent is said before, and waits for an admin after', async () => {
      const permissions = ['entities:read', 'entities:write'];
      publish(offer('writer', { permissions: ['read_entities', 'entity:write'] }, { permissions }));
      assert.deepEqual((await itemOf('writer')).permissions, [
        { permission: 'entities:read', needs_consent: false },
        { permission: 'entities:write', needs_consent: true },
      ]);
      assert.equal((await install('writer')).body.state, 'waiting');
    });

    test('an archive that is not the one in the catalog changes nothing', async () => {
      const kept = offer('kept');
      publish(kept);
      await install('kept');
      const before = readFileSync(plugin('kept', 'plugin.json'), 'utf8');
      const size = Number(kept.size);
      const cases: [item: () => object, words: RegExp, code: string][] = [
        [() => ({ ...kept, sha256: 'a'.repeat(64) }), /SHA-256/, 'archive_mismatch'],
        [() => ({ ...kept, size: size - 1 }), /larger than the \d+ bytes/, 'archive_mismatch'],
        [() => ({ ...kept, size: size + 1 }), /has \d+ bytes, but the catalog says/, 'archive_mismatch'],
        [() => ({ ...kept, url: 'nowhere.zip' }), /no file nowhere\.zip/, 'archive_unavailable'],
        [() => offer('kept', { version: '2.0.0' }), /version is '2\.0\.0'/, 'archive_mismatch'],
        [() => offer('kept', { trust_tier: 'official' }), /trust_tier is 'official'/, 'archive_mismatch'],
        [
          () => offer('kept', { permissions: ['kv', 'assets:write'] }, { permissions: ['kv'] }),
          /wants assets:write/,
          'archive_mismatch',
        ],
        [() => ({ ...offer('other'), id: 'kept' }), /id is 'other'/, 'archive_mismatch'],
      ];
      for (const [item, words, code] of cases) {
        publish(item());
        const { status, body } = await install('kept');
        assert.deepEqual([status, body.code], [502, code], body.detail);
        assert.match(body.detail, words);
      }
      put({ 'kept.zip': 'no archive' });
      publish(entryFor(Buffer.from('no archive'), { id: 'kept', url: 'kept.zip' }));
      assert.equal((await install('kept')).body.code, 'invalid_archive');
      assert.equal(readFileSync(plugin('kept', 'plugin.json'), 'utf8'), before);
      assert.ok(!existsSync(plugin('other')));
      assert.deepEqual(uploads(), []);
    });

    test('archives come from other addresses too, and nothing of one that breaks off stays', async () => {
      const archive = pluginZip({ id: 'remote' });
      const url = server.url.replace('catalog.json', 'remote.zip');
      server.put({ 'remote.zip': archive });
      publish(entryFor(archive, { id: 'remote', url }));
      server.answer('remote.zip', (_request, response) => {
        response.writeHead(200, { 'content-length': archive.length }).write(archive.subarray(0, 100));
        response.socket?.end();
      });
      const broken = await install('remote');
      assert.deepEqual([broken.status, broken.body.code], [502, 'archive_unavailable']);
      server.answer('remote.zip', (_request, response) => {
        response.writeHead(302, { location: '/elsewhere.zip' }).end();
      });
      assert.match((await install('remote')).body.detail, /status 302/);
      server.answer('remote.zip', (_request, response) => {
        const more = () => {
          if (response.destroyed) return;
          response.write(Buffer.alloc(10_000));
          setImmediate(more);
        };
        more();
      });
      assert.match((await install('remote')).body.detail, /larger than/);
      server.answer('remote.zip', null);
      assert.ok(!server.asked.includes('elsewhere.zip'));
      assert.equal((await install('remote')).status, 201);
      assert.deepEqual(uploads(), []);
    });

    test('twenty installations at once leave one whole version', async () => {
      publish(offer('wanted'));
      const replies = await Promise.all(Array.from({ length: 20 }, () => install('wanted')));
      for (const { status, text } of replies) assert.equal(status, 201, text);
      assert.equal((await itemOf('wanted')).installed?.state, 'enabled');
      assert.ok(existsSync(plugin('wanted', 'panels', 'goals', 'goals.js')));
      assert.deepEqual(uploads(), []);
    });

    test('the space of an archive is free again after the installation, and after one that failed', async () => {
      const archive = pluginZip({ id: 'large' }, { 'large.bin': randomBytes(600_000) });
      put({ 'large.zip': archive });
      const entry = entryFor(archive, { id: 'large', url: 'large.zip' });
      publish({ ...entry, sha256: 'a'.repeat(64) });
      assert.equal((await install('large')).body.code, 'archive_mismatch');
      publish(entry);
      for (let round = 0; round < 2; round += 1) assert.equal((await install('large')).status, 201);
    });

    test('not everything can be installed, and not by everybody', async () => {
      // Nothing is fetched of what is not allowed.
      publish(offer('blocked', {}, { url: 'nowhere.zip' }), offer('newer', {}, { min_canonry: '99.0.0' }));
      const refused = async (id: string, status: number, code: string) => {
        const reply = await install(id);
        assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text);
      };
      await refused('nowhere', 404, 'plugin_not_in_catalog');
      await refused('newer', 409, 'needs_newer_canonry');
      await core.call('PUT', '/api/plugins/policy', { body: { allowed: ['newer'] } });
      assert.equal((await itemOf('blocked')).is_allowed, false);
      await refused('blocked', 403, 'plugin_not_allowed');
      await core.call('PUT', '/api/plugins/policy', { body: { allowed: null } });
      const viewer = await core.registerViewer();
      assert.equal((await install('blocked', viewer)).status, 403);
      assert.equal((await core.call('GET', '/api/catalog', { token: viewer })).status, 200);
      assert.ok(!existsSync(plugin('blocked')));
    });

    test('the last good index can be installed from while the newest cannot be used', async () => {
      publish(offer('lasting'));
      await list();
      put({ 'catalog.json': '{}' });
      const { problem, items } = await list();
      assert.equal(problem?.code, 'catalog_not_signed');
      assert.deepEqual(
        items.map(({ id }) => id),
        ['lasting'],
      );
      assert.equal((await install('lasting')).status, 201);
    });

    test('without a catalog there is nothing, and without a good one no installation', async () => {
      const bare = await startCore({ open });
      const empty = await bare.call<CatalogReply>('GET', '/api/catalog');
      assert.deepEqual(empty.body, {
        configured: false,
        sequence: null,
        checked_at: null,
        problem: null,
        items: [],
      });
      const none = await bare.call('POST', '/api/catalog/goals/install');
      assert.deepEqual([none.status, none.body.code], [409, 'catalog_not_configured']);
      await bare.close();
      const wrong = await startCore({
        open,
        env: { PLUGIN_CATALOG: server.url, PLUGIN_CATALOG_KEY: newKeeper().key },
      });
      const reply = await wrong.call('POST', '/api/catalog/goals/install');
      assert.deepEqual([reply.status, reply.body.code], [502, 'catalog_unavailable']);
      assert.match(String(reply.body.detail), /ALLOW_PRIVATE_ENDPOINTS/);
      await wrong.close();
    });

    test('a catalog at an address has its archives below its own folder', async () => {
      const archive = pluginZip({ id: 'from-afar' });
      const entry = entryFor(archive, { id: 'from-afar', url: 'files/from-afar.zip' });
      server.put({ ...signedIndex(keeper, [entry], { sequence: 1_000 }), 'files/from-afar.zip': archive });
      const env = {
        PLUGIN_CATALOG: server.url,
        PLUGIN_CATALOG_KEY: keeper.key,
        ALLOW_PRIVATE_ENDPOINTS: 'true',
      };
      const other = await startCore({ open, env });
      const reply = await other.call('POST', '/api/catalog/from-afar/install');
      assert.equal(reply.status, 201, reply.text);
      await other.close();
    });
  });
});
