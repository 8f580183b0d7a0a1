import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { buildGuest } from '../../../test/support/guests/build-guest.ts';
import { pluginZip, uploadPlugin } from '../../../test/support/plugins.ts';
import type { PluginReply } from './plugins.contract.ts';

const GUEST = "export const metadata = { getInfo: () => ({ name: '', version: '', description: '' }) };";

const FILES = {
  'panels/goals/style.css': 'body { color: red }',
  'panels/goals/picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'panels/goals/.hidden': 'x',
};

const policyOf = (headers: Record<string, unknown>): Map<string, string> =>
  new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((part) => [part.split(' ', 1)[0] ?? '', part.slice(part.indexOf(' ') + 1)]),
  );

describe('pages of plugins', () => {
  let core: TestCore;
  let plugin: PluginReply;
  before(async () => {
    core = await startCore();
    const backend = { entry: 'guest.wasm' };
    const frontend = {
      panels: [
        { id: 'goals', title: 'Goals', location: 'entity-tab', url: 'panels/goals/index.html' },
        { id: 'bare', title: 'Bare', location: 'entity-footer', url: 'bare.html' },
      ],
      field_widgets: [{ id: 'dice', label: 'Dice', preview_url: 'panels/goals/index.html' }],
    };
    const archive = pluginZip(
      { id: 'shown', capabilities: { frontend, backend }, permissions: ['http:api.example.com'] },
      { ...FILES, 'bare.html': 'Bare', 'guest.wasm': await buildGuest(GUEST, 'plugin') },
    );
    await uploadPlugin(core, archive);
    await core.call('POST', '/api/plugins/shown/grants', { body: { permissions: ['http:api.example.com'] } });
    plugin = (await core.call<PluginReply>('GET', '/api/plugins/shown')).body;
  });
  after(() => core.close());

  const get = (address: string, host = 'localhost:80', headers: Record<string, string> = {}) => {
    const url = new URL(address, `http://${host}`);
    return core.app.inject({ url: `${url.pathname}${url.search}`, headers: { ...headers, host: url.host } });
  };
  const goals = () => String(plugin.panels[0]?.url);

  test('each plugin has an origin of its own, on which nothing else is served', async () => {
    assert.match(String(plugin.origin), /^http:\/\/p\d+-[0-9a-f]{20}\.localhost$/);
    assert.equal(goals(), `${plugin.origin}/api/plugins/panel/shown/goals/`);
    await uploadPlugin(core, pluginZip({ id: 'neighbour' }));
    const { body } = await core.call<PluginReply>('GET', '/api/plugins/neighbour');
    assert.notEqual(body.origin, plugin.origin);
    for (const path of [
      '/',
      '/w',
      '/api/plugins',
      '/api/entity/character',
      '/api/plugins/panel/neighbour/goals/',
      '/api/plugins/../entity/character',
      '/api/studio/config',
    ])
      assert.equal((await get(`${plugin.origin}${path}`)).statusCode, 404, path);
    const post = await core.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { host: new URL(String(plugin.origin)).host },
      payload: {},
    });
    assert.equal(post.statusCode, 404);
  });

  test('nobody can make up the origin of another project or plugin', async () => {
    const origin = String(plugin.origin);
    for (const other of [origin.replace(/p\d+/, 'p2'), origin.replace(/-..../, '-0000')])
      assert.notEqual((await get(goals().replace(origin, other))).statusCode, 200, other);
  });

  test('a page has its policy, its context and its hosts', async () => {
    const reply = await get(
      `${goals()}?entity_type=character&entity_id=${encodeURIComponent('</script>')}&theme=dark`,
    );
    assert.equal(reply.statusCode, 200, reply.body);
    assert.match(String(reply.headers['content-type']), /^text\/html/);
    const policy = policyOf(reply.headers);
    assert.equal(policy.get('default-src'), "'none'");
    const files = `${plugin.origin}/api/plugins/panel/shown/`;
    assert.equal(policy.get('connect-src'), `${files} https://api.example.com`);
    assert.equal(policy.get('script-src'), `${files} 'unsafe-inline' 'wasm-unsafe-eval'`);
    assert.equal(policy.get('frame-ancestors'), 'http://127.0.0.1 http://localhost');
    assert.ok(!policy.has('sandbox'));
    const [, context = ''] = /PLUGIN_CONTEXT=(\{.*?\});/.exec(reply.body) ?? [];
    assert.deepEqual(JSON.parse(context), {
      pluginId: 'shown',
      panelId: 'goals',
      entityType: 'character',
      entityId: '</script>',
      theme: 'dark',
      hosts: ['http://127.0.0.1', 'http://localhost'],
    });
    assert.equal(reply.body.split('</script>').length, 2);
    assert.match(reply.body, /<head><base href="\/api\/plugins\/panel\/shown\/goals\/"><script>/);
    assert.equal(reply.headers['set-cookie'], undefined);
  });

  test('its files come from the folder of the page, and nothing else does', async () => {
    const at = (path: string) => get(`${goals()}${path}`);
    const script = await at('goals.js');
    assert.equal(script.body, 'export const goals = 1;\n');
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(script.headers['x-content-type-options'], 'nosniff');
    assert.equal((await at('style.css')).headers['content-type'], 'text/css; charset=utf-8');
    const again = await get(`${goals()}goals.js`, undefined, {
      'if-none-match': String(script.headers.etag),
    });
    assert.equal(again.statusCode, 304);
    for (const path of [
      '../../plugin.json',
      '..%2f..%2fplugin.json',
      '%2e%2e/%2e%2e/plugin.json',
      '..%5c..%5cplugin.json',
      '.hidden',
      'goals.js/x',
      '%2fetc/passwd',
      'missing.js',
      'goals.js%00',
    ]) {
      const reply = await at(path);
      assert.ok([400, 404].includes(reply.statusCode), `${path}: ${reply.statusCode}`);
      assert.ok(!reply.body.includes('"capabilities"'), path);
    }
    const bare = `${plugin.origin}/api/plugins/panel/shown/bare/`;
    assert.equal((await get(bare)).statusCode, 200);
    for (const path of ['plugin.json', 'guest.wasm'])
      assert.equal((await get(`${bare}${path}`)).statusCode, 404, path);
  });

  test('on the origin of the web app a page is in a sandbox without an origin, and finds its files', async () => {
    const reply = await get('/api/plugins/panel/shown/goals?theme=light');
    assert.equal(reply.statusCode, 200, reply.body);
    const policy = policyOf(reply.headers);
    assert.equal(policy.get('sandbox'), 'allow-scripts allow-forms');
    const [, base = ''] = /<base href="([^"]+)">/.exec(reply.body) ?? [];
    assert.match(base, /^\/api\/plugins\/panel\/shown\/goals~p\d+-[0-9a-f]{20}\/$/);
    assert.equal(policy.get('connect-src'), `http://localhost${base} https://api.example.com`);
    const script = await get(`${base}goals.js`);
    assert.equal(script.statusCode, 200);
    assert.equal(script.headers['access-control-allow-origin'], '*');
    assert.equal((await get('/api/plugins/panel/shown/goals/goals.js')).statusCode, 404);
  });

  test('no worker answers for pages without their policy, and no page of the web app runs a script of a plugin', async () => {
    const worker = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' };
    assert.equal((await get(`${goals()}goals.js`, undefined, worker)).statusCode, 404);
    const reply = await get('/api/plugins/panel/shown/goals');
    const [, base = ''] = /<base href="([^"]+)">/.exec(reply.body) ?? [];
    const script = { 'sec-fetch-dest': 'script' };
    assert.equal(
      (await get(`${base}goals.js`, undefined, { ...script, 'sec-fetch-site': 'cross-site' })).statusCode,
      200,
    );
    assert.equal(
      (await get(`${base}goals.js`, undefined, { ...script, 'sec-fetch-site': 'same-origin' })).statusCode,
      404,
    );
  });

  test('a widget has a page too; a disabled plugin has none', async () => {
    assert.equal((await get(String(plugin.widgets[0]?.url))).statusCode, 200);
    await core.call('POST', '/api/plugins/shown/disable');
    assert.equal((await get(goals())).statusCode, 409);
    assert.equal((await get(`${goals()}goals.js`)).statusCode, 409);
    await core.call('POST', '/api/plugins/shown/enable');
    assert.equal((await get(goals())).statusCode, 200);
  });
});

describe('with a plugin origin of the installation', () => {
  const origins = ['https://*.plugins.example.net', 'https://plugins.example.net'];
  for (const setting of origins) {
    test(`${setting}: the web app's own origin sends browsers there`, async (t) => {
      const core = await startCore({
        env: { PLUGIN_ORIGIN: setting, PUBLIC_URL: 'https://app.example.com', TRUSTED_PROXIES: 'loopback' },
      });
      t.after(() => core.close());
      await uploadPlugin(core, pluginZip({ id: 'shown' }));
      const at = (host: string, url: string) =>
        core.app.inject({ url, headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': host } });
      const moved = await at('app.example.com', '/api/plugins/panel/shown/goals?theme=dark');
      assert.equal(moved.statusCode, 302);
      const location = new URL(String(moved.headers.location));
      assert.equal(location.searchParams.get('theme'), 'dark');
      assert.ok(location.host.endsWith('plugins.example.net'));
      const page = await at(location.host, `${location.pathname}${location.search}`);
      assert.equal(page.statusCode, 200, page.body);
      const policy = policyOf(page.headers);
      assert.equal(policy.get('frame-ancestors'), 'https://app.example.com');
      assert.equal(policy.has('sandbox'), !setting.includes('*'));
      assert.equal((await at(location.host, '/api/plugins')).statusCode, 404);
      const config = await at('app.example.com', '/api/studio/config');
      assert.equal(config.json<{ plugin_origin: string }>().plugin_origin, setting);
    });
  }
});
