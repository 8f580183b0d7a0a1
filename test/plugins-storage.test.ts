import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOB_LIMITS } from '../src/platform/blobs/blobs.ts';
import { prefixed } from '../src/platform/blobs/prefixed.ts';
import { openBlobs } from '../src/surfaces/open-blobs.ts';
import { moveTo, ok, startWorld, sync } from './support/content-world.ts';
import { pluginZip, uploadPlugin } from './support/plugins.ts';
import { startS3 } from './support/storage/s3-server.ts';

test('plugins are installed, replaced and removed where the content is in object storage', async (t) => {
  const core = await startWorld(t);
  const { place } = await startS3(t);
  const blobs = await openBlobs(place, BLOB_LIMITS, 'admitted');
  t.after(() => blobs.close());
  const objects = prefixed(blobs, 'local/default/');
  const keys = async (prefix: string) =>
    (await objects.list({ prefix, limit: 100 })).blobs.map(({ key }) => key);
  assert.equal((await moveTo(core, place)).status, 'done');

  const upload = async (version: string, files: Record<string, string>) => {
    const reply = await uploadPlugin<{ version: string }>(core, pluginZip({ version }, files));
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.body.version, version);
  };
  await upload('1.0.0', { 'panels/goals/first.js': 'first' });
  assert.ok((await keys('_Plugins/')).includes('_Plugins/word-count/panels/goals/first.js'));
  await upload('2.0.0', { 'panels/goals/second.js': 'second' });
  assert.deepEqual(await keys('_Plugins/'), [
    '_Plugins/word-count/panels/goals/goals.js',
    '_Plugins/word-count/panels/goals/index.html',
    '_Plugins/word-count/panels/goals/second.js',
    '_Plugins/word-count/plugin.json',
  ]);
  assert.ok((await keys('_RecycleBin/')).some((key) => key.endsWith('/word-count/panels/goals/first.js')));
  assert.deepEqual(await keys('.canonry/plugins'), []);
  const { body } = await core.call<{ panels: { url: string }[] }>('GET', '/api/plugins/word-count');
  const page = new URL(String(body.panels[0]?.url), 'http://localhost');
  const shown = await core.app.inject({ url: `${page.pathname}second.js`, headers: { host: page.host } });
  assert.equal(shown.body, 'second');
  assert.deepEqual((await sync(core)).deleted, 0);

  await ok(core, 'DELETE', '/api/plugins/word-count');
  assert.deepEqual(await keys('_Plugins/'), []);
  assert.equal((await core.call('GET', '/api/plugins/word-count')).status, 404);
});

test('an admin decides about a plugin while a new version of it is written to a slow storage', async (t) => {
  const core = await startWorld(t);
  const s3 = await startS3(t);
  assert.equal((await moveTo(core, s3.place)).status, 'done');
  const state = async (method: string, action = '') =>
    (await core.call<{ state: string }>(method, `/api/plugins/word-count${action}`)).body.state;
  const upload = async (version: string) => (await uploadPlugin(core, pluginZip({ version }))).status;
  assert.equal(await upload('1.0.0'), 201);

  const written = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  s3.interfere = async (operation, key) => {
    if (operation !== 'put' || !key.includes('.canonry/plugins/')) return;
    written.resolve();
    await answered.promise;
  };
  const uploading = upload('2.0.0');
  await written.promise;
  assert.equal(await state('POST', '/disable'), 'disabled');
  answered.resolve();
  assert.equal(await uploading, 201);
  assert.equal(await state('GET'), 'disabled');
});
