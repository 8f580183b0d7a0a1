import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tenantFolder } from '../src/surfaces/folders.ts';
import type { PluginReply } from '../src/world/plugins/plugins.contract.ts';
import { type CloudCore, startCloud } from './support/cloud.ts';
import { pluginFiles, pluginZip, uploadPlugin } from './support/plugins.ts';
import { saveFile } from './support/save-file.ts';
import { subscribed } from './support/subscribed.ts';
import { until } from './support/until.ts';

if (process.env.CANONRY_TEST_POSTGRES === 'off' || process.env.CANONRY_TEST_REDIS === 'off') {
  test('plugins in the cloud', { skip: 'needs PostgreSQL and Redis' }, () => {});
} else {
  const cloud = await startCloud();
  after(() => cloud.close());
  const [one, other] = cloud.cores;
  const token = await subscribed(cloud, cloud.accounts.first, 'team');
  const content = tenantFolder(cloud.contentDir, cloud.accounts.first.tenantId, 'default');
  const folder = (...path: string[]) => join(content, ...path);

  /** A plugin whose files all say which version they are of; later ones have more files. */
  const archive = (id: string, version: number): Uint8Array =>
    pluginZip(
      { id, version: `${version}.0.0` },
      Object.fromEntries(
        Array.from({ length: 5 + version }, (_, index) => [`panels/goals/${index}.txt`, String(version)]),
      ),
    );
  const upload = (core: CloudCore, id: string, version: number) =>
    uploadPlugin<PluginReply>(core, archive(id, version), { token });
  const at = (core: CloudCore, id: string) => core.call<PluginReply>('GET', `/api/plugins/${id}`, { token });
  const sync = (core: CloudCore) => core.call('POST', '/api/entity/sync/all', { token });

  async function requireWhole(id: string): Promise<number> {
    const version = Number.parseInt(
      JSON.parse(readFileSync(folder('_Plugins', id, 'plugin.json'), 'utf8')).version,
      10,
    );
    const texts = readdirSync(folder('_Plugins', id, 'panels/goals')).filter((name) => name.endsWith('.txt'));
    assert.equal(texts.length, 5 + version);
    for (const name of texts)
      assert.equal(readFileSync(folder('_Plugins', id, 'panels/goals', name), 'utf8'), String(version));
    for (const core of cloud.cores) assert.equal((await at(core, id)).body.version, `${version}.0.0`);
    assert.ok(!existsSync(folder('.canonry/plugins')));
    return version;
  }

  test('uploads of one plugin at two cores at once leave one whole version, and the last former ones', async () => {
    const versions = [1, 2, 3, 4, 5, 6, 7, 8];
    const replies = await Promise.all(
      versions.map((version) => upload(version % 2 === 0 ? one : other, 'raced', version)),
    );
    for (const { status, text } of replies) assert.equal(status, 201, text);
    const last = await requireWhole('raced');
    const former = readdirSync(folder('_RecycleBin/_files'))
      .map((name) => folder('_RecycleBin/_files', name, '_Plugins/raced/plugin.json'))
      .filter((path) => existsSync(path))
      .map((path) => Number.parseInt(JSON.parse(readFileSync(path, 'utf8')).version, 10));
    assert.equal(former.length, 3);
    assert.equal(new Set([...former, last]).size, 4);
  });

  test('an upload while another core compares everything is whole at both', async () => {
    await upload(one, 'compared', 1);
    for (let version = 2; version <= 6; version += 1) {
      const [reply, ...synced] = await Promise.all([
        upload(one, 'compared', version),
        sync(other),
        sync(one),
      ]);
      assert.equal(reply.status, 201, reply.text);
      for (const each of synced) assert.equal(each.status, 200, each.text);
      await sync(other);
      assert.equal(await requireWhole('compared'), version);
    }
  });

  /** As a core leaves it that dies between the two moves. */
  function interrupt(id: string, version: number): void {
    const staged = '.canonry/plugins/staged';
    const files = pluginFiles({ id, version: `${version}.0.0` });
    for (const [path, text] of Object.entries(files)) saveFile(folder(staged, path), text);
    for (let index = 0; index < 5 + version; index += 1)
      saveFile(folder(staged, `panels/goals/${index}.txt`), String(version));
    const journal = { pluginId: id, staged, by: 'the dead', at: '2026-03-02T10:15:00.000Z' };
    saveFile(folder('.canonry/plugins/replaced.json'), JSON.stringify(journal));
    mkdirSync(folder('_RecycleBin/_files/dead/_Plugins'), { recursive: true });
    renameSync(folder('_Plugins', id), folder('_RecycleBin/_files/dead/_Plugins', id));
  }

  /** The core is not asked for the plugin: it looks by itself. */
  async function completedBy(core: () => Promise<CloudCore>, id: string): Promise<void> {
    await upload(one, id, 1);
    await one.call('POST', `/api/plugins/${id}/disable`, { token });
    await sync(other);
    cloud.clock.pass(60_000);
    interrupt(id, 2);
    await sync(await core());
    await until(
      async () => !existsSync(folder('.canonry/plugins')) && (await at(one, id)).body.version === '2.0.0',
    );
    await requireWhole(id);
    const { body } = await at(one, id);
    assert.deepEqual([body.state, body.installed_by], ['disabled', 'the dead']);
  }

  test('what a dead core left is completed by one that has the project open', () =>
    completedBy(async () => other, 'left-open'));

  test('what a dead core left is completed by one that opens the project', () =>
    completedBy(() => cloud.core(), 'left-closed'));
}
