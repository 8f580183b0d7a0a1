import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import {
  manifestOf,
  pluginFiles,
  pluginZip,
  uploadPlugin,
  zipOfFiles,
} from '../../../test/support/plugins.ts';
import { openTestSocket, socketAddress } from '../../../test/support/sockets.ts';
import { until } from '../../../test/support/until.ts';
import type { PluginReply } from './plugins.contract.ts';

type Reply = PluginReply & { detail: string; code: string; message: string; plugins: PluginReply[] };

forEachDatabase((_name, open) => {
  describe('plugins', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const ask = (method: string, path: string, body?: object, token?: string) =>
      core.call<Reply>(method, `/api/plugins${path}`, { body, ...(token && { token }) });
    const upload = (archive: Uint8Array) => uploadPlugin<Reply>(core, archive);
    const folder = (...path: string[]) => join(core.contentDir, '_Plugins', ...path);
    const listed = async (id: string) => (await ask('GET', '')).body.plugins.find((one) => one.id === id);

    test('an upload installs the folder, and again replaces it while decisions stay', async () => {
      const first = await upload(pluginZip());
      assert.equal(first.status, 201, first.text);
      assert.equal(first.body.state, 'enabled');
      assert.equal(first.body.panels[0]?.title, 'Goals');
      assert.ok(first.body.installed_at !== null && first.body.installed_by !== null);
      assert.equal(
        readFileSync(folder('word-count', 'panels/goals/goals.js'), 'utf8'),
        'export const goals = 1;\n',
      );
      assert.equal((await ask('POST', '/word-count/disable')).body.state, 'disabled');
      const again = await upload(pluginZip({ version: '1.1.0' }, { 'panels/goals/goals.js': 'two' }));
      assert.equal(again.status, 201, again.text);
      assert.equal(again.body.version, '1.1.0');
      assert.equal(again.body.state, 'disabled');
      assert.equal(readFileSync(folder('word-count', 'panels/goals/goals.js'), 'utf8'), 'two');
      const bin = join(core.contentDir, '_RecycleBin');
      assert.match(
        JSON.stringify(readdirSync(bin, { recursive: true })),
        /_Plugins\/word-count\/plugin\.json/,
      );
      assert.equal((await ask('POST', '/word-count/enable')).body.state, 'enabled');
      assert.equal((await listed('word-count'))?.version, '1.1.0');
    });

    test('the prefix of a repository archive is left out', async () => {
      const files = Object.entries(pluginFiles({ id: 'prefixed' }));
      const prefixed = zipOfFiles(
        Object.fromEntries(files.map(([path, text]) => [`repo-main/${path}`, text])),
      );
      assert.equal((await upload(prefixed)).status, 201);
      assert.ok(existsSync(folder('prefixed', 'plugin.json')));
    });

    test('an upload that is refused changes nothing, and says what was wrong', async () => {
      await upload(pluginZip({ id: 'kept' }));
      const before = readdirSync(folder(), { recursive: true }).sort();
      const refused = async (archive: Uint8Array, status: number, words: RegExp) => {
        const { status: given, body, text } = await upload(archive);
        assert.equal(given, status, text);
        assert.match(body.detail, words);
      };
      await refused(Buffer.from('hello'), 400, /neither a \.zip nor a \.tar\.gz/);
      await refused(zipOfFiles({ 'readme.md': 'x' }), 400, /no plugin\.json at its root/);
      await refused(zipOfFiles({ 'plugin.json': '{"id": "kept",\n "name": 3}' }), 422, /line 2/);
      await refused(pluginZip({ id: 'Bad Id' }), 422, /id/);
      await refused(pluginZip({ id: 'upload' }), 422, /upload/);
      await refused(pluginZip({ trust_tier: undefined }), 422, /trust_tier/);
      await refused(zipOfFiles({ ...pluginFiles(), '../out.txt': 'x' }), 400, /out\.txt/);
      const { 'panels/goals/index.html': _, ...without } = pluginFiles();
      await refused(zipOfFiles(without), 422, /panels\/goals\/index\.html, which is not in the archive/);
      assert.deepEqual(readdirSync(folder(), { recursive: true }).sort(), before);
      assert.ok(!existsSync(join(core.contentDir, '.canonry', 'plugins')));
    });

    test('a folder that is put into _Plugins by hand is the same plugin', async () => {
      mkdirSync(folder('by-hand'), { recursive: true });
      writeFileSync(folder('by-hand', 'plugin.json'), JSON.stringify({ id: 'by-hand', name: 'By hand' }));
      mkdirSync(folder('broken'), { recursive: true });
      writeFileSync(folder('broken', 'plugin.json'), '{\n  "id": "broken",\n  oops\n}');
      mkdirSync(folder('misplaced'), { recursive: true });
      writeFileSync(folder('misplaced', 'plugin.json'), JSON.stringify(manifestOf({ id: 'other' })));
      await core.call('POST', '/api/entity/sync/all');
      const byHand = await listed('by-hand');
      assert.equal(byHand?.state, 'enabled');
      assert.equal(byHand?.trust_tier, 'community');
      assert.equal(byHand?.installed_at, null);
      const broken = await listed('broken');
      assert.equal(broken?.state, 'broken');
      assert.equal(broken?.problems[0]?.line, 3);
      assert.equal(broken?.problems[0]?.path, '_Plugins/broken/plugin.json');
      assert.match((await listed('misplaced'))?.problems[0]?.message ?? '', /rename the folder/);
      rmSync(folder('by-hand'), { recursive: true });
      await core.call('POST', '/api/entity/sync/all');
      assert.equal(await listed('by-hand'), undefined);
    });

    test('what needs consent waits for an admin, and an update that wants more waits again', async () => {
      const wants = (...permissions: string[]) => pluginZip({ id: 'writer', permissions });
      const first = await upload(wants('read_entities', 'entity:write'));
      assert.equal(first.body.state, 'waiting');
      assert.deepEqual(
        first.body.permissions.map(({ permission, state }) => [permission, state]),
        [
          ['entities:read', 'granted'],
          ['entities:write', 'asked'],
        ],
      );
      const panel = await core.call('GET', '/api/plugins/panel/writer/goals', { token: null });
      assert.equal(panel.status, 409);
      assert.equal((await ask('POST', '/writer/grants', { permissions: ['http:evil.example'] })).status, 422);
      await ask('POST', '/writer/grants', { permissions: ['entities:write'] });
      assert.equal((await listed('writer'))?.state, 'enabled');
      assert.equal((await upload(wants('entities:read', 'entities:write'))).body.state, 'enabled');
      const more = await upload(wants('entities:write', 'http:hooks.example.com'));
      assert.equal(more.body.state, 'waiting');
      await ask('POST', '/writer/grants', { permissions: [] });
      const after = await listed('writer');
      assert.equal(after?.state, 'enabled');
      assert.deepEqual(
        after?.permissions.map(({ state }) => state),
        ['refused', 'refused'],
      );
      assert.ok(after?.permissions[0]?.answered_by);
    });

    test('what was granted to one version or folder is not granted to a later one that asks for it anew', async () => {
      const version = (...permissions: string[]) => upload(pluginZip({ id: 'again', permissions }));
      const allow = () => ask('POST', '/again/grants', { permissions: ['entities:write'] });
      await version('entities:write');
      await allow();
      await version('entities:read');
      assert.equal((await version('entities:write')).body.state, 'waiting');
      await allow();
      assert.equal((await listed('again'))?.state, 'enabled');
      const socket = await openTestSocket(await socketAddress(core.app), { token: core.adminToken });
      await socket.next('ready');
      rmSync(folder('again'), { recursive: true });
      await until(async () => {
        await core.call('POST', '/api/entity/sync/all');
        return socket.heard.some(({ plugin_id, action }) => plugin_id === 'again' && action === 'removed');
      });
      socket.peer.close();
      await socket.closed;
      mkdirSync(folder('again'), { recursive: true });
      const manifest = manifestOf({ id: 'again', permissions: ['entities:write'] });
      writeFileSync(folder('again', 'plugin.json'), JSON.stringify(manifest));
      await core.call('POST', '/api/entity/sync/all');
      assert.equal((await listed('again'))?.state, 'waiting');
    });

    test('a guest that reads settings with secrets waits for an admin', async () => {
      const settings = (type: string) => ({ settings: { global: [{ key: 'key', label: 'Key', type }] } });
      const wants = (type: string) =>
        upload(pluginZip({ id: 'reader', permissions: ['settings:read'], capabilities: settings(type) }));
      assert.equal((await wants('string')).body.state, 'enabled');
      assert.equal((await wants('secret')).body.state, 'waiting');
      await ask('POST', '/reader/grants', { permissions: ['settings:read'] });
      assert.equal((await listed('reader'))?.state, 'enabled');
    });

    test('the allowlist of the tenant blocks what is not on it', async () => {
      await upload(pluginZip({ id: 'allowed' }));
      await upload(pluginZip({ id: 'blocked' }));
      const set = await core.call('PUT', '/api/plugins/policy', { body: { allowed: ['allowed'] } });
      assert.deepEqual(set.body, { allowed: ['allowed'] });
      assert.equal((await listed('allowed'))?.state, 'enabled');
      assert.equal((await listed('blocked'))?.state, 'blocked');
      const refused = await upload(pluginZip({ id: 'another' }));
      assert.equal(refused.status, 403);
      assert.equal(refused.body.code, 'plugin_not_allowed');
      await core.call('PUT', '/api/plugins/policy', { body: { allowed: null } });
      assert.equal((await listed('blocked'))?.state, 'enabled');
    });

    test('a removed plugin goes to the recycle bin; settings and data stay unless they are purged', async () => {
      const settings = { global: [{ key: 'goal', label: 'Goal', type: 'integer', default: 500 }] };
      const archive = pluginZip({ id: 'removed', capabilities: { settings } });
      await upload(archive);
      await ask('PUT', '/removed/settings', { goal: 700 });
      await ask('POST', '/removed/data/counts', { words: 3 });
      assert.equal((await ask('DELETE', '/removed')).status, 200);
      assert.equal((await ask('GET', '/removed')).status, 404);
      assert.equal((await ask('DELETE', '/removed')).status, 404);
      assert.ok(!existsSync(folder('removed')));
      await upload(archive);
      assert.deepEqual((await ask('GET', '/removed/settings')).body, { goal: 700 });
      const kept = await core.call<{ total: number }>('GET', '/api/plugins/removed/data/counts');
      assert.equal(kept.body.total, 1);
      await ask('DELETE', '/removed?purge=true');
      await upload(archive);
      assert.deepEqual((await ask('GET', '/removed/settings')).body, { goal: 500 });
      await ask('POST', '/removed/data/counts', { words: 4 });
      await ask('DELETE', '/removed');
      assert.equal((await ask('DELETE', '/removed')).status, 404);
      assert.equal((await ask('DELETE', '/removed?purge=true')).status, 200);
      await upload(archive);
      const purged = await core.call<{ total: number }>('GET', '/api/plugins/removed/data/counts');
      assert.equal(purged.body.total, 0);
    });

    test('only admins install, grant and set; everybody sees', async () => {
      await upload(pluginZip({ id: 'seen' }));
      const viewer = await core.registerViewer();
      assert.equal((await ask('GET', '/seen', undefined, viewer)).status, 200);
      for (const [method, path] of [
        ['POST', '/seen/disable'],
        ['DELETE', '/seen'],
        ['POST', '/seen/grants'],
        ['PUT', '/seen/settings'],
        ['PUT', '/policy'],
      ] as const)
        assert.equal((await ask(method, path, {}, viewer)).status, 403, path);
      assert.equal((await uploadPlugin(core, pluginZip(), { token: viewer })).status, 403);
      assert.equal((await uploadPlugin(core, pluginZip(), { token: null })).status, 401);
    });

    test('a link in the place of a plugin is refused and left, and nothing is stuck afterwards', async () => {
      const elsewhere = join(core.contentDir, '..', 'elsewhere');
      mkdirSync(elsewhere);
      writeFileSync(join(elsewhere, 'plugin.json'), 'mine');
      mkdirSync(folder(), { recursive: true });
      symlinkSync(elsewhere, folder('linked'));
      for (let round = 0; round < 2; round += 1) {
        const refused = await upload(pluginZip({ id: 'linked' }));
        assert.equal(refused.status, 409, refused.text);
        assert.match(refused.body.detail, /_Plugins\/linked.*links are not followed/);
      }
      assert.equal(readFileSync(join(elsewhere, 'plugin.json'), 'utf8'), 'mine');
      assert.ok(!existsSync(join(core.contentDir, '.canonry', 'plugins')));
      assert.equal((await upload(pluginZip({ id: 'unlinked' }))).status, 201);
      rmSync(folder('linked'));
      assert.equal(await listed('linked'), undefined);
    });

    test('the recycle bin keeps ten plugins in all, and hidden files are not installed', async () => {
      const hidden = { '.git/config': 'x', 'node_modules/a/index.js': 'x', 'page.html': 'x' };
      const bins = () =>
        readdirSync(join(core.contentDir, '_RecycleBin/_files')).filter((name) => name.startsWith('plugin-'));
      for (let index = 0; index < 12; index += 1) {
        assert.equal((await upload(pluginZip({ id: `gone-${index}` }, hidden))).status, 201);
        const files = readdirSync(join(core.contentDir, `_Plugins/gone-${index}`)).sort();
        assert.deepEqual(files, ['page.html', 'panels', 'plugin.json']);
        assert.equal((await ask('DELETE', `/gone-${index}`)).status, 200);
      }
      assert.equal(bins().length, 10);
      assert.ok(!bins().some((name) => name.startsWith('plugin-gone-0~')));
    });

    test('the recycle bin keeps the last three versions of a plugin that is uploaded again and again', async () => {
      for (const version of ['1', '2', '3', '4', '5'])
        assert.equal((await upload(pluginZip({ id: 'busy', version: `${version}.0.0` }))).status, 201);
      const bin = join(core.contentDir, '_RecycleBin/_files');
      const versions = readdirSync(bin).flatMap((name) => {
        const manifest = join(bin, name, '_Plugins/busy/plugin.json');
        return existsSync(manifest) ? [JSON.parse(readFileSync(manifest, 'utf8')).version] : [];
      });
      assert.deepEqual(versions.sort(), ['2.0.0', '3.0.0', '4.0.0']);
    });

    test('uploads of one plugin at the same time leave one whole version', async () => {
      const versions = Array.from({ length: 12 }, (_, index) => `1.0.${index}`);
      const replies = await Promise.all(
        versions.map((version) =>
          upload(pluginZip({ id: 'raced', version }, { 'panels/goals/version.txt': version })),
        ),
      );
      for (const { status, text } of replies) assert.equal(status, 201, text);
      const version = (await listed('raced'))?.version ?? '';
      assert.ok(versions.includes(version));
      assert.equal(readFileSync(folder('raced', 'panels/goals/version.txt'), 'utf8'), version);
    });
  });
});
