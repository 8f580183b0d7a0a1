import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cliWorld } from './support/cli.ts';
import { startCore, type TestCore } from './support/core.ts';
import { listen } from './support/listen.ts';
import { fullPlugin } from './support/plugin-project.ts';
import { uploadPlugin } from './support/plugins.ts';
import { until } from './support/until.ts';

async function startService(t: TestContext): Promise<{ core: TestCore; url: string }> {
  const core = await startCore();
  t.after(() => core.close());
  return { core, url: await listen(core) };
}

const pluginOf = async (core: TestCore, id: string) =>
  (await core.call<{ version: string; state: string }>('GET', `/api/plugins/${id}`)).body;

function setVersion(folder: string, version: string): void {
  const path = join(folder, 'plugin.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }));
}

/** Runs `dev` until `stop`. */
function startDev(t: TestContext, args: readonly string[], env: Record<string, string>) {
  const world = cliWorld(t);
  const ending = new AbortController();
  let printed = '';
  const said = (text: string) => {
    printed += text;
  };
  return {
    world,
    printed: () => printed,
    begin: () => world.runWith({ env, said, stop: ending.signal }, 'plugin', 'dev', ...args),
    stop: () => ending.abort(),
  };
}

test('a plugin is uploaded at first, and after every change that builds, until Ctrl-C', async (t) => {
  const { core, url } = await startService(t);
  const dev = startDev(t, ['word-goals', '--url', url], { CANONRY_TOKEN: core.adminToken });
  const { world, printed } = dev;
  await world.run('plugin', 'new', 'word-goals');
  const folder = join(world.folder, 'word-goals');
  const running = dev.begin();
  await until(() => printed().includes('uploaded word-goals 0.1.0: enabled\n'), printed);
  assert.equal((await pluginOf(core, 'word-goals')).state, 'enabled');

  setVersion(folder, '0.2.0');
  await until(async () => (await pluginOf(core, 'word-goals')).version === '0.2.0', printed);

  const script = join(folder, 'src/panel.ts');
  const before = readFileSync(script, 'utf8');
  writeFileSync(script, 'const = 1;');
  await until(() => printed().includes('Not built, so the service keeps what it has.\n'), printed);
  assert.match(printed(), /^src\/panel\.ts:1:7: /m);
  assert.equal((await pluginOf(core, 'word-goals')).version, '0.2.0');

  writeFileSync(script, before);
  setVersion(folder, '0.3.0');
  await until(() => printed().includes('uploaded word-goals 0.3.0: enabled\n'), printed);
  dev.stop();
  const { code, err } = await running;
  assert.equal(code, 0, err);
});

test('what the service says is printed, and the next change tries again', async (t) => {
  const core = await startCore();
  const url = await listen(core);
  const dev = startDev(t, ['word-goals', '--url', url], { CANONRY_TOKEN: 'no token' });
  await dev.world.run('plugin', 'new', 'word-goals');
  const running = dev.begin();
  await until(() => dev.printed().includes('Not uploaded'), dev.printed);
  assert.match(dev.printed(), /Not uploaded: http:.*\(is CANONRY_TOKEN still valid\?\)/);
  await core.close();
  setVersion(join(dev.world.folder, 'word-goals'), '0.2.0');
  await until(() => dev.printed().includes('no answer'), dev.printed);
  dev.stop();
  assert.equal((await running).code, 0);
});

test('an admin is named where one must answer first', async (t) => {
  const { core, url } = await startService(t);
  const dev = startDev(t, ['word-goals', '--url', url, '--token', core.adminToken], {});
  await dev.world.run('plugin', 'new', 'word-goals');
  const path = join(dev.world.folder, 'word-goals/plugin.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('entities:read', 'entities:write'));
  const running = dev.begin();
  await until(() => /An admin must answer first: it wants entities:write/.test(dev.printed()), dev.printed);
  assert.match(dev.printed(), /uploaded word-goals 0\.1\.0: waiting\n/);
  dev.stop();
  await running;
});

test('nobody uploads without a token, or to what is no address', async (t) => {
  const world = cliWorld(t);
  await world.run('plugin', 'new', 'word-goals');
  const dev = (...args: string[]) => world.run('plugin', 'dev', 'word-goals', ...args);
  assert.match((await dev()).err, /set CANONRY_TOKEN to an API key/);
  assert.match((await dev('--token', 'a', '--url', 'ftp://a.example')).err, /--url takes an address/);
  assert.match((await dev('--token', 'a', '--project', '../a')).err, /--project takes/);
});

test('what is packed runs in a service: its guest is asked, and its pages are served', async (t) => {
  const { core } = await startService(t);
  const world = cliWorld(t);
  const folder = await fullPlugin(world);
  await world.run('plugin', 'pack', 'lamp-log');
  const uploaded = await uploadPlugin(core, readFileSync(join(folder, 'lamp-log-0.1.0.zip')));
  assert.equal(uploaded.status, 201, uploaded.text);
  await core.call('POST', '/api/entity/character', { body: { entity_id: 'mira', name: 'Mira' } });
  const count = await core.call('GET', '/api/plugins/lamp-log/custom/count?type=character');
  assert.deepEqual([count.status, count.body], [200, { type: 'character', entities: 1 }]);
  const unknown = await core.call('GET', '/api/plugins/lamp-log/custom/other');
  assert.deepEqual([unknown.status, unknown.body], [404, { detail: 'ask for /count?type=…' }]);
  const { body } = await core.call('PUT', '/api/entity/character/mira', {
    body: { markdown_body: 'And then...\n' },
  });
  assert.equal(body.markdown_body, 'And then…\n');
});
