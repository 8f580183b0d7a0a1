import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fromBufferPromise } from 'yauzl';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { pluginZip, uploadPlugin } from '../../../test/support/plugins.ts';
import { unzipped } from '../../../test/support/zip.ts';
import { systemClock } from '../../kit/clock.ts';
import type { PluginRecordReply } from './data.contract.ts';
import { createPluginRecords } from './records.service.ts';

type Reply = PluginRecordReply & {
  records: PluginRecordReply[];
  total: number;
  detail: string;
  code: string;
};

const SETTINGS = {
  global: [
    { key: 'goal', label: 'Goal', type: 'integer', default: 500 },
    { key: 'api_key', label: 'Key', type: 'secret' },
    { key: 'kind', label: 'Kind', type: 'select', options: ['fast', 'slow'], default: 'fast' },
    { key: 'places', label: 'Places', type: 'entity-list' },
  ],
  user: [{ key: 'colour', label: 'Colour', type: 'color', default: '#336699' }],
};

forEachDatabase((_name, open) => {
  describe('data and settings of plugins', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      for (const id of ['counter', 'other'])
        await uploadPlugin(core, pluginZip({ id, capabilities: { settings: SETTINGS } }));
    });
    after(() => core.close());

    const data = (method: string, path: string, body?: unknown, token?: string) =>
      core.call<Reply>(method, `/api/plugins/counter/data/${path}`, { body, ...(token && { token }) });
    const settings = (method: string, path = '', body?: object, token?: string) =>
      core.call<Record<string, unknown>>(method, `/api/plugins/counter/settings${path}`, {
        body,
        ...(token && { token }),
      });

    test('a record is stored, read, replaced, listed and deleted', async () => {
      const stored = await data('POST', 'counts', { words: 3, scene: 'ferry' });
      assert.equal(stored.status, 201, stored.text);
      const { record_id: id } = stored.body;
      assert.deepEqual((await data('GET', `counts/${id}`)).body.data, { words: 3, scene: 'ferry' });
      const put = await data('PUT', `counts/${id}`, { words: 4, scene: 'ferry' });
      assert.equal(put.body.created_at, stored.body.created_at);
      const own = randomUUID();
      assert.equal((await data('PUT', `counts/${own.toUpperCase()}`, { words: 9 })).body.record_id, own);
      assert.equal((await data('GET', 'counts')).body.total, 2);
      const found = await data('GET', 'counts?filter[scene]=ferry&limit=1');
      assert.deepEqual(
        found.body.records.map(({ data: each }) => each),
        [{ words: 4, scene: 'ferry' }],
      );
      assert.equal((await data('GET', 'others')).body.total, 0);
      const elsewhere = await core.call<Reply>('GET', '/api/plugins/other/data/counts');
      assert.equal(elsewhere.body.total, 0);
      assert.equal((await data('DELETE', `counts/${id}`)).status, 200);
      assert.equal((await data('GET', `counts/${id}`)).status, 404);
      assert.equal((await data('DELETE', `counts/${id}`)).status, 404);
      assert.equal((await data('GET', 'counts')).body.total, 1);
    });

    test('a record that is tied to an entity follows it through a rename', async () => {
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'old_mira', name: 'Mira' } });
      await data('POST', 'tied', { entity_type: 'character', entity_id: 'old_mira', words: 1 });
      await data('POST', 'tied', { entity_type: 'character', entity_id: 'nobody', words: 2 });
      await core.call('POST', '/api/rename-entity', {
        body: { entity_type: 'character', old_id: 'old_mira', new_id: 'new_mira' },
      });
      const found = await data('GET', 'tied?entity_type=character&entity_id=new_mira');
      assert.deepEqual(
        found.body.records.map(({ entity_id }) => entity_id),
        ['new_mira'],
      );
      assert.equal((await data('GET', 'tied?entity_type=character&entity_id=old_mira')).body.total, 0);
      assert.equal((await data('GET', 'tied?entity_type=character&entity_id=nobody')).body.total, 1);
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'nobody', name: 'Nobody' } });
      assert.equal((await data('GET', 'tied?entity_type=character&entity_id=nobody')).body.total, 1);
      await core.call('DELETE', '/api/entity/character/new_mira');
      assert.equal((await data('GET', 'tied?entity_type=character&entity_id=old_mira')).body.total, 1);
      assert.equal((await data('GET', 'tied?entity_id=nobody')).status, 422);
    });

    test('what cannot be stored is refused', async () => {
      assert.equal((await data('POST', 'counts', { text: 'x'.repeat(70_000) })).status, 413);
      assert.equal((await data('POST', 'counts', [1])).status, 422);
      assert.equal((await data('POST', 'Bad Type', {})).status, 422);
      assert.equal((await data('GET', 'counts/not-a-uuid')).status, 422);
      assert.equal((await data('GET', 'counts?limit=201')).status, 422);
      assert.equal((await data('POST', 'counts', {}, await core.registerViewer())).status, 403);
      await core.call('POST', '/api/plugins/counter/disable');
      assert.equal((await data('GET', 'counts')).status, 409);
      await core.call('POST', '/api/plugins/counter/enable');
    });

    test('the limits of a plugin hold for callers at the same time', async () => {
      const project = openedProject(core);
      const records = createPluginRecords({ clock: systemClock, limits: { records: 5, bytes: 1_000 } });
      const place = { pluginId: 'limited', recordType: 'counts' };
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) => records.create(project, place, { index }, 'ada')),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
      await assert.rejects(records.put(project, place, randomUUID(), { index: 1 }, 'ada'), /5 records/);
      await records.remove(
        project,
        place,
        String(
          (await records.page(project, place, { limit: 1, offset: 4, fields: [] })).records[0]?.record_id,
        ),
      );
      assert.ok(
        await records.create(project, place, { again: true }, 'ada'),
        'a deleted record gives its room',
      );
      const [first] = (await records.page(project, place, { limit: 1, offset: 0, fields: [] })).records;
      const large = { text: 'x'.repeat(990) };
      await assert.rejects(records.put(project, place, String(first?.record_id), large, 'ada'), /1000 bytes/);
      assert.ok(await records.put(project, place, String(first?.record_id), { text: 'small' }, 'ada'));
    });

    test('settings have defaults, take what fits, and hide secrets', async () => {
      assert.deepEqual((await settings('GET')).body, {
        goal: 500,
        api_key: null,
        kind: 'fast',
        places: null,
      });
      const set = await settings('PUT', '', { goal: 700, api_key: 'very secret', kind: 'slow' });
      assert.deepEqual(set.body, { goal: 700, api_key: '••••', kind: 'slow', places: null });
      const again = await settings('PUT', '', set.body);
      assert.deepEqual(again.body, set.body);
      assert.ok(!JSON.stringify((await core.call('GET', '/api/plugins')).body).includes('very secret'));
      for (const wrong of [{ goal: 'many' }, { goal: 1.5 }, { kind: 'odd' }, { other: 1 }, { places: 'x' }])
        assert.equal((await settings('PUT', '', wrong)).status, 422, JSON.stringify(wrong));
      assert.deepEqual((await settings('PUT', '', { goal: null, api_key: null })).body, {
        goal: 500,
        api_key: null,
        kind: 'slow',
        places: null,
      });
      const elsewhere = await core.call('GET', '/api/plugins/other/settings');
      assert.equal(elsewhere.body.kind, 'fast');
    });

    test('settings and secrets stay while a manifest cannot be read, and those of others too', async () => {
      const made = { settings: { global: [{ key: 'key', type: 'secret' }] } };
      for (const id of ['first', 'second'])
        assert.equal((await uploadPlugin(core, pluginZip({ id, capabilities: made }))).status, 201);
      const of = (id: string, method: string, body?: object) =>
        core.call<Record<string, unknown>>(method, `/api/plugins/${id}/settings`, { body });
      const whileBroken = async (id: string, work: () => Promise<unknown>): Promise<void> => {
        const file = join(core.contentDir, `_Plugins/${id}/plugin.json`);
        const text = readFileSync(file, 'utf8');
        for (const next of ['{', text]) {
          writeFileSync(file, next);
          await core.mirror.sync(openedProject(core), { kind: 'full' });
          if (next !== text) await work();
        }
      };
      await whileBroken('first', async () => assert.equal((await of('first', 'GET')).status, 200));
      await of('first', 'PUT', { key: 'very secret' });
      for (const id of ['first', 'second'])
        await whileBroken(id, async () => assert.equal((await of(id, 'PUT', {})).status, 409));
      assert.deepEqual((await of('first', 'GET')).body, { key: '••••' });
    });

    test('a value that does not fit a new version is left out, whatever its key', async () => {
      const version = (type: string) =>
        pluginZip({
          id: 'dotted',
          capabilities: {
            settings: {
              global: [
                { key: 'api.limit', type },
                { key: 'api', type: 'string' },
              ],
            },
          },
        });
      await uploadPlugin(core, version('string'));
      const of = (method: string, body?: object) =>
        core.call<Record<string, unknown>>(method, '/api/plugins/dotted/settings', { body });
      await of('PUT', { 'api.limit': 'x', api: 'y' });
      await uploadPlugin(core, version('integer'));
      assert.deepEqual((await of('GET')).body, { 'api.limit': null, api: 'y' });
      assert.deepEqual((await of('PUT', { 'api.limit': 7 })).body, { 'api.limit': 7, api: 'y' });
    });

    test('each user has settings of their own', async () => {
      const viewer = await core.registerViewer('second@example.com');
      await settings('PUT', '/user', { colour: '#000000' }, viewer);
      assert.deepEqual((await settings('GET', '/user', undefined, viewer)).body, { colour: '#000000' });
      assert.deepEqual((await settings('GET', '/user')).body, { colour: '#336699' });
    });

    test('a value of an earlier version that fits no longer gives way to the default', async () => {
      await settings('PUT', '', { goal: 900 });
      const next = { ...SETTINGS, global: [{ key: 'goal', label: 'Goal', type: 'boolean', default: true }] };
      await uploadPlugin(
        core,
        pluginZip({ id: 'counter', version: '2.0.0', capabilities: { settings: next } }),
      );
      assert.deepEqual((await settings('GET')).body, { goal: true });
      assert.deepEqual((await settings('PUT', '', {})).body, { goal: true });
      assert.deepEqual((await settings('PUT', '', { goal: false })).body, { goal: false });
    });

    test('of a setting that the project and a user have, the user’s own counts where it is set', async () => {
      const title = { key: 'title', label: 'Title', type: 'string' };
      const declared = {
        global: [
          { ...title, default: 'Untitled' },
          { key: 'goal', label: 'Goal', type: 'integer', default: 500 },
          { key: 'token', label: 'Token', type: 'secret' },
        ],
        user: [
          { ...title, default: 'Mine' },
          { key: 'goal', label: 'Goal', type: 'integer' },
          { key: 'colour', label: 'Colour', type: 'color', default: '#336699' },
        ],
      };
      await uploadPlugin(core, pluginZip({ id: 'shared', capabilities: { settings: declared } }));
      const address = '/api/plugins/shared/settings';
      const set = (path: string, body: object) => core.call('PUT', `${address}${path}`, { body });
      const counting = async () => (await core.call('GET', `${address}/user?effective=true`)).body;
      assert.deepEqual(await counting(), { title: 'Untitled', goal: 500, colour: '#336699' });
      await set('', { title: 'Of the world', goal: 900, token: 'very secret' });
      assert.deepEqual(await counting(), { title: 'Of the world', goal: 900, colour: '#336699' });
      await set('/user', { title: 'Mine', goal: 0, colour: '#112233' });
      assert.deepEqual(await counting(), { title: 'Mine', goal: 0, colour: '#112233' });
      await set('/user', { title: '', goal: null });
      assert.deepEqual(await counting(), { title: 'Of the world', goal: 900, colour: '#112233' });
    });

    test('an export has settings without secrets, and every record', async () => {
      await uploadPlugin(core, pluginZip({ id: 'taken', capabilities: { settings: SETTINGS } }));
      await core.call('PUT', '/api/plugins/taken/settings', { body: { goal: 42, api_key: 'very secret' } });
      await core.call('PUT', '/api/plugins/taken/settings/user', { body: { colour: '#112233' } });
      for (let index = 0; index < 205; index += 1)
        await core.call('POST', '/api/plugins/taken/data/lines', { body: { index } });
      const reply = await core.app.inject({
        url: '/api/export/archive',
        headers: { authorization: `Bearer ${core.adminToken}` },
      });
      const files = await unzipped(reply.rawPayload);
      const set = JSON.parse(files['_PluginData/taken/settings.json'] ?? '');
      assert.deepEqual(set.global, { goal: 42 });
      assert.deepEqual(set.user, { colour: '#112233' });
      const lines = (files['_PluginData/taken/records.jsonl'] ?? '').trim().split('\n');
      const indexes = lines.map((line) => JSON.parse(line).data.index).sort((one, other) => one - other);
      assert.deepEqual(
        indexes,
        Array.from({ length: 205 }, (_, index) => index),
      );
      assert.ok(!JSON.stringify(files).includes('very secret'));
    });

    test('an export has what is kept of a removed plugin, and no name twice if it was unpacked as content', async () => {
      await uploadPlugin(core, pluginZip({ id: 'left', capabilities: { settings: SETTINGS } }));
      await core.call('PUT', '/api/plugins/left/settings', { body: { goal: 42, api_key: 'very secret' } });
      await core.call('PUT', '/api/plugins/left/settings/user', { body: { colour: '#112233' } });
      await core.call('POST', '/api/plugins/left/data/lines', { body: { index: 7 } });
      await core.call('DELETE', '/api/plugins/left');
      const unpacked = join(core.contentDir, '_PluginData/left');
      mkdirSync(unpacked, { recursive: true });
      for (const name of ['settings.json', 'records.jsonl', 'other.txt'])
        writeFileSync(join(unpacked, name), 'former');
      const reply = await core.app.inject({
        url: '/api/export/archive',
        headers: { authorization: `Bearer ${core.adminToken}` },
      });
      const { entryCount } = await fromBufferPromise(reply.rawPayload, { lazyEntries: true });
      const files = await unzipped(reply.rawPayload);
      assert.equal(Object.keys(files).length, entryCount);
      assert.deepEqual(JSON.parse(files['_PluginData/left/settings.json'] ?? ''), {
        global: { goal: 42 },
        user: { colour: '#112233' },
      });
      assert.equal(JSON.parse(files['_PluginData/left/records.jsonl'] ?? '').data.index, 7);
      assert.equal(files['_PluginData/left/other.txt'], 'former');
      assert.ok(!JSON.stringify(files).includes('very secret'));
    });
  });
});
