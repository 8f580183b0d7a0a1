import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PluginReply } from '../src/world/plugins/plugins.contract.ts';
import { forEachDatabase } from './support/databases.ts';
import { buildGuest } from './support/guests/build-guest.ts';
import { pluginZip, uploadPlugin } from './support/plugins.ts';
import { startTwoTenants, type TwoTenants } from './support/two-tenants.ts';
import { until } from './support/until.ts';

/** Remembers what it is told, and tells all that it can reach. The same bytes run for each tenant. */
const GUEST = `
import entities from 'canonry:plugin/entities@1.0.0';
import kv from 'canonry:plugin/kv@1.0.0';
import log from 'canonry:plugin/log@1.0.0';
const heard = [];
export const metadata = { getInfo: () => ({ name: 'Remembering', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntityValidate({ entity }) {
    return [{ severity: 'info', field: null, message: 'checked ' + JSON.parse(entity).name }];
  },
  onEntitySave() { return null; },
  onEntityCreate({ id }) { heard.push(id); },
  onEntityDelete() {},
  onProjectInit() {},
};
export const routes = {
  handleRequest({ path, body, user }) {
    if (path === '/tell') {
      heard.push(body);
      kv.set('told ' + body, body);
      log.log('info', 'told ' + body);
    }
    const all = {
      heard,
      user: user.id,
      keys: kv.list(''),
      ids: entities.listIds('character', 100, null),
      found: entities.search('Thistledown', 100).map(({ id }) => id),
      got: entities.get('character', 'only_here') ?? null,
    };
    return { status: 200, headers: [], body: JSON.stringify(all) };
  },
};
`;

interface Told {
  heard: string[];
  user: string;
  keys: string[];
  ids: string[];
  found: string[];
  got: string | null;
}

const TENANTS = ['here', 'there'] as const;
const SETTINGS = { global: [{ key: 'title', label: 'Title', type: 'string', default: 'none' }] };

forEachDatabase((_name, open) => {
  describe('plugins of two tenants', () => {
    let core: TwoTenants;
    const ask = async <Body>(tenant: string, method: string, url: string, body?: unknown) => {
      const reply = await core.app.inject({
        method: method as 'GET',
        url: `/api${url}`,
        headers: { authorization: `Bearer ${tenant}`, prefer: 'wait=60' },
        ...(body !== undefined && { payload: body as object }),
      });
      return { status: reply.statusCode, text: reply.body, body: reply.json<Body>() };
    };
    const tell = async (tenant: string, word: string, plugin = 'shared') => {
      const reply = await core.app.inject({
        method: 'POST',
        url: `/api/plugins/${plugin}/custom/tell`,
        headers: { authorization: `Bearer ${tenant}`, 'content-type': 'text/plain' },
        payload: word,
      });
      return { status: reply.statusCode, told: reply.json<Told>() };
    };
    const pluginAt = async (tenant: string, id = 'shared') =>
      (await ask<PluginReply>(tenant, 'GET', `/plugins/${id}`)).body;

    before(async () => {
      core = await startTwoTenants(open);
      const guest = await buildGuest(GUEST);
      const capabilities = {
        backend: { entry: 'guest.wasm' },
        settings: SETTINGS,
        frontend: {
          panels: [
            { id: 'goals', title: 'Goals', location: 'entity-sidebar', url: 'panels/goals/index.html' },
          ],
        },
      };
      const install = async (tenant: string, id: string) => {
        const archive = pluginZip(
          { id, name: `Of ${tenant}`, capabilities, permissions: ['entities:read', 'kv'] },
          { 'guest.wasm': guest, 'panels/goals/goals.js': `'${tenant}'` },
        );
        const reply = await uploadPlugin(core, archive, { token: tenant });
        assert.equal(reply.status, 201, reply.text);
      };
      for (const tenant of TENANTS) await install(tenant, 'shared');
      await install('here', 'alone');
      await ask('here', 'POST', '/entity/character', { entity_id: 'only_here', name: 'Thistledown' });
      await ask('there', 'POST', '/entity/character', { entity_id: 'only_there', name: 'Burdock' });
    });
    after(() => core.close());

    test('a guest has an instance, values and a log of its own in each', async () => {
      assert.deepEqual((await tell('here', 'a')).told.keys, ['told a']);
      assert.deepEqual((await tell('here', 'b')).told.keys, ['told a', 'told b']);
      const { told } = await tell('there', 'c');
      assert.deepEqual([told.keys, told.ids, told.user], [['told c'], ['only_there'], 'owner of there']);
      assert.ok(!told.heard.some((word) => ['a', 'b', 'only_here'].includes(word)), told.heard.join());
      assert.deepEqual([told.found, told.got], [[], null]);
      const here = (await tell('here', 'd')).told;
      assert.ok(
        ['a', 'b', 'd'].every((word) => here.heard.includes(word)),
        here.heard.join(),
      );
      assert.deepEqual([here.ids, here.found], [['only_here'], ['only_here']]);
      for (const [tenant, words] of Object.entries({ here: ['a', 'b', 'd'], there: ['c'] })) {
        const { body } = await ask<{ lines: { message: string }[] }>(tenant, 'GET', '/plugins/shared/log');
        const said = body.lines.map(({ message }) => message).filter((message) => message.startsWith('told'));
        assert.deepEqual(
          said.sort(),
          words.map((word) => `told ${word}`),
        );
      }
      const other = (await tell('here', 'e', 'alone')).told;
      assert.ok(!other.heard.includes('a'), 'another plugin of the tenant has an instance of its own too');
      assert.deepEqual(other.keys, ['told e']);
    });

    test('what guests find, settings and data are of one tenant', async () => {
      const findings = (tenant: string) =>
        ask<{ findings: { entity_id: string; message: string }[] }>(tenant, 'GET', '/plugins/findings');
      for (const tenant of TENANTS) {
        await until(async () => (await findings(tenant)).body.findings.length > 0);
        for (const { entity_id } of (await findings(tenant)).body.findings)
          assert.equal(entity_id, `only_${tenant}`);
      }
      await ask('here', 'PUT', '/plugins/shared/settings', { title: 'Thistledown' });
      await ask('here', 'PUT', '/plugins/shared/settings/user', {});
      await ask('here', 'POST', '/plugins/shared/data/notes', { text: 'Thistledown' });
      assert.deepEqual((await ask('there', 'GET', '/plugins/shared/settings')).body, { title: 'none' });
      assert.equal(
        (await ask<{ total: number }>('there', 'GET', '/plugins/shared/data/notes')).body.total,
        0,
      );
      for (const path of ['', '/log', '/settings', '/data/notes', '/custom/tell', '/grants'])
        assert.equal((await ask('there', 'GET', `/plugins/alone${path}`)).status, 404, path);
    });

    test('a page is found by the label of its tenant and plugin alone', async () => {
      const [here, there] = await Promise.all(TENANTS.map((tenant) => pluginAt(tenant)));
      const urlOf = (plugin: PluginReply | undefined) => String(plugin?.panels[0]?.url);
      const pageOf = async (url: string) => {
        const { pathname, host } = new URL(url, 'http://localhost');
        const reply = await core.app.inject({ url: `${pathname}goals.js`, headers: { host } });
        return reply.statusCode === 200 ? reply.body : reply.statusCode;
      };
      assert.deepEqual([await pageOf(urlOf(here)), await pageOf(urlOf(there))], ["'here'", "'there'"]);
      assert.equal(await pageOf(urlOf(here).replace('/panel/shared/', '/panel/alone/')), 404);
      const alone = urlOf(await pluginAt('here', 'alone'));
      assert.equal(await pageOf(alone), "'here'");
      assert.equal(await pageOf(alone.replace('/panel/alone/', '/panel/shared/')), 404);
      const [number = ''] = /p\d+(?=-)/.exec(urlOf(there)) ?? [];
      assert.ok(number !== '' && !urlOf(here).includes(`${number}-`));
      assert.equal(await pageOf(urlOf(here).replace(/p\d+(?=-)/, number)), 404);
    });

    test('what one tenant does to its plugin changes nothing of the other’s', async () => {
      // Counts of earlier calls are written at the latest when somebody asks for them.
      assert.equal((await ask('there', 'GET', '/plugins/shared/usage')).status, 200);
      const before = await core.stateOf('there');
      await tell('here', 'f');
      await ask('here', 'POST', '/plugins/shared/disable');
      await ask('here', 'PUT', '/plugins/policy', { allowed: [] });
      assert.equal((await tell('here', 'g')).status, 409);
      assert.equal((await ask('here', 'DELETE', '/plugins/shared?purge=true')).status, 200);
      assert.equal(await core.stateOf('there'), before);
      const { status, told } = await tell('there', 'h');
      assert.equal(status, 200);
      assert.ok(told.heard.includes('c'), 'its guest goes on');
      assert.equal((await pluginAt('there')).name, 'Of there');
    });
  });
});
