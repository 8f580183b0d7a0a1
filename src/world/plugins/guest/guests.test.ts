import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../../test/support/core.ts';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { buildGuest } from '../../../../test/support/guests/build-guest.ts';
import { pluginZip, uploadPlugin } from '../../../../test/support/plugins.ts';
import { until } from '../../../../test/support/until.ts';
import type { PluginUsageReply } from '../usage.contract.ts';
import type { PluginLogLine } from './guest.contract.ts';

const GUEST = `
import entities from 'canonry:plugin/entities@1.0.0';
import events from 'canonry:plugin/events@1.0.0';
import http from 'canonry:plugin/http@1.0.0';
import kv from 'canonry:plugin/kv@1.0.0';
import log from 'canonry:plugin/log@1.0.0';
import settings from 'canonry:plugin/settings@1.0.0';
export const metadata = { getInfo: () => ({ name: 'Test', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntityValidate({ entity }) {
    const { name, fields } = JSON.parse(entity);
    if (name === 'Loop') for (;;);
    if (name === 'Crash') throw 'crashed on purpose';
    if (name === 'Odd letters') log.log('info', 'a\\0b');
    const found = [];
    if (/forbidden/i.test(name)) found.push({ severity: 'error', field: 'name', message: 'this name is taken by history' });
    if (fields.occupation === 'dragon') found.push({ severity: 'warning', field: 'occupation', message: 'there are no dragons' });
    return found;
  },
  onEntitySave({ entity, previous }) {
    const value = JSON.parse(entity);
    if (value.name === 'Blank it') return JSON.stringify({ ...value, name: '  ' });
    if (value.name === 'Odd status') return JSON.stringify({ ...value, status: 'nonsense' });
    if (value.name === 'Half a letter') return JSON.stringify({ ...value, markdown_body: '🦊'.slice(0, 1) });
    if (!value.name.startsWith('upper ')) return null;
    value.name = value.name.toUpperCase();
    value.fields.occupation = previous === null ? 'new' : 'old';
    return JSON.stringify(value);
  },
  onEntityCreate({ id }) {
    if (id === 'slow') for (const until = Date.now() + 400; Date.now() < until;);
    kv.set('created ' + id, 'yes'); log.log('info', 'created ' + id);
  },
  onEntityDelete({ id, entity }) { kv.set('deleted ' + id, JSON.parse(entity).name); },
  onProjectInit(project) { log.log('info', 'began ' + JSON.parse(project).id); },
};
const tried = (work) => { try { return work() ?? 'ok'; } catch (error) { return 'refused: ' + error.message; } };
export const routes = {
  handleRequest({ method, path, body, user }) {
    if (path === '/loop') for (;;);
    if (path === '/settings') return { status: 200, headers: [], body: settings.get() };
    if (path.startsWith('/send')) {
      const host = path === '/send' ? '127.0.0.1:1' : 'elsewhere.example';
      const url = (path === '/send' ? 'http://' : 'https://') + host + '/?secret';
      return { status: 200, headers: [], body: String(tried(() => http.request({ method: 'GET', url, headers: [], body: null }))) };
    }
    if (path.startsWith('/throw')) throw 'no answer';
    if (path.startsWith('/write')) return { status: 200, headers: [], body: tried(() => entities.write('character', body ?? '', '{"occupation":"smith"}')) };
    if (path === '/half') return { status: 200, headers: [], body: tried(() => entities.write('character', 'mira', JSON.stringify({ occupation: '🦊'.slice(0, 1) }))) };
    if (path === '/keys') return { status: 200, headers: [['content-type', 'text/plain']], body: kv.list('').join() + ' ' + (kv.get('deleted gone') ?? '') };
    if (path === '/set') return { status: 200, headers: [], body: tried(() => kv.set('k', 'v')) };
    if (path === '/emit') return { status: 200, headers: [], body: tried(() => events.emit('rang', '{"bell":1}')) };
    return { status: 201, headers: [['x-secret', 'no'], ['set-cookie', 'a=b']], body: [method, path, body, user.role, tried(() => entities.get('character', 'mira') !== null)].join(' ') };
  },
};
`;

forEachDatabase((_name, open) => {
  describe('guests of plugins', () => {
    let core: TestCore;
    let component: Uint8Array;
    before(async () => {
      component = await buildGuest(GUEST);
      core = await startCore({ open });
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'mira', name: 'Mira' } });
    });
    after(() => core.close());

    const install = async (id: string, permissions: string[], settings = {}) => {
      const capabilities = { backend: { entry: 'guest.wasm' }, settings };
      const reply = await uploadPlugin(
        core,
        pluginZip({ id, capabilities, permissions }, { 'guest.wasm': component }),
      );
      assert.equal(reply.status, 201, reply.text);
      const asked = reply.body.permissions as { permission: string; needs_consent: boolean }[];
      const granted = asked.filter((each) => each.needs_consent).map(({ permission }) => permission);
      await core.call('POST', `/api/plugins/${id}/grants`, { body: { permissions: granted } });
    };
    const remove = (id: string) => core.call('DELETE', `/api/plugins/${id}?purge=true`);
    const make = (entity_id: string, name: string, fields = {}) =>
      core.call<{ name: string; detail: string; code: string; fields: Record<string, unknown> }>(
        'POST',
        '/api/entity/character',
        { body: { entity_id, name, fields } },
      );
    const custom = (id: string, method: string, path: string, body?: string, token = core.adminToken) =>
      core.app.inject({
        method: method as 'GET',
        url: `/api/plugins/${id}/custom${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'text/plain' }),
        },
        ...(body !== undefined && { payload: body }),
      });
    const logOf = async (id: string, query = '') =>
      (await core.call<{ lines: PluginLogLine[] }>('GET', `/api/plugins/${id}/log${query}`)).body.lines;
    const findingsOf = async (id: string) =>
      (
        await core.call<{ findings: { severity: string; message: string }[] }>(
          'GET',
          `/api/plugins/findings?entity_type=character&entity_id=${id}`,
        )
      ).body.findings;

    test('a text that no file can hold is refused from a guest as from anybody', async () => {
      await install('cutter', ['entities:read', 'entities:write']);
      const made = await make('fox', 'Half a letter');
      assert.equal(made.status, 201, made.text);
      const { body } = await core.call('GET', '/api/entity/character/fox');
      assert.ok(String(body.markdown_body).isWellFormed());
      assert.ok(
        (await logOf('cutter')).some(({ message }) => message.includes('The answer cannot be saved')),
      );
      assert.match((await custom('cutter', 'POST', '/half', '')).body, /^refused: .*surrogate/);
      await remove('cutter');
    });

    test('a request whose body ends after the plugin was removed reaches no guest', async () => {
      await install('late', ['kv']);
      const body = new PassThrough();
      body.write('a');
      const reply = core.app.inject({
        method: 'POST',
        url: '/api/plugins/late/custom/set',
        headers: { authorization: `Bearer ${core.adminToken}`, 'content-type': 'text/plain' },
        payload: body,
      });
      await pause(300);
      assert.equal((await remove('late')).status, 200);
      body.end('b');
      assert.ok([404, 409, 503].includes((await reply).statusCode), (await reply).body);
      await install('late', ['kv']);
      assert.equal((await custom('late', 'GET', '/keys')).body, ' ');
      await remove('late');
    });

    test('a save hook changes what is written, a check refuses it, and the history names the plugin', async () => {
      await install('checker', ['entities:read']);
      const made = await make('shouter', 'upper case');
      assert.equal(made.status, 201, made.text);
      assert.equal(made.body.name, 'UPPER CASE');
      assert.equal(made.body.fields.occupation, 'new');
      const changed = await core.call<{ fields: Record<string, unknown> }>(
        'PUT',
        '/api/entity/character/shouter',
        {
          body: { name: 'upper again' },
        },
      );
      assert.equal(changed.body.fields.occupation, 'old');
      const { body } = await core.call<{ revisions: { via: string[] }[] }>(
        'GET',
        '/api/entity/character/shouter/revisions',
      );
      assert.deepEqual(body.revisions[0]?.via, ['checker']);
      const refused = await make('never', 'Forbidden');
      assert.equal(refused.status, 422);
      assert.equal(refused.body.code, 'refused_by_plugin');
      assert.match(refused.body.detail, /name: this name is taken by history/);
      assert.equal((await core.call('GET', '/api/entity/character/never')).status, 404);
      assert.equal((await make('crasher', 'Crash')).status, 201);
      assert.ok((await logOf('checker')).some(({ message }) => message.includes('crashed on purpose')));
      const evaded = await core.call('PUT', '/api/entity/character/shouter?via=checker', {
        body: { name: 'Forbidden' },
      });
      assert.equal(evaded.status, 422, 'the history names a plugin, and its checks hold all the same');
      await remove('checker');
      assert.equal((await make('free', 'Forbidden')).status, 201);
    });

    test('a file is never refused, only reported, and what was there before is checked too', async () => {
      await make('old_dragon', 'Smaug', { occupation: 'dragon' });
      await install('checker', ['entities:read']);
      await until(async () => (await findingsOf('old_dragon')).length === 1);
      const folder = join(core.contentDir, 'Characters', 'by_hand');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'CH_by_hand.md'), '---\nid: by_hand\nname: Forbidden\n---\n');
      await core.call('POST', '/api/entity/sync/all');
      assert.equal((await core.call('GET', '/api/entity/character/by_hand')).status, 200);
      await until(async () => (await findingsOf('by_hand')).length === 1);
      assert.equal((await findingsOf('by_hand'))[0]?.severity, 'error');
      await core.call('PUT', '/api/entity/character/old_dragon', {
        body: { fields: { occupation: 'smith' } },
      });
      await until(async () => (await findingsOf('old_dragon')).length === 0);
      await core.call('POST', '/api/plugins/checker/disable');
      assert.deepEqual(await findingsOf('by_hand'), []);
      await remove('checker');
    });

    test('what was made and deleted is told afterwards, from the moment that the plugin began', async () => {
      await make('gone', 'Gone');
      await install('told', ['entities:read', 'kv']);
      await until(async () => (await logOf('told')).some(({ message }) => message === 'began default'));
      await make('fresh', 'Fresh');
      await core.call('DELETE', '/api/entity/character/gone');
      await until(
        async () => (await custom('told', 'GET', '/keys')).body === 'created fresh,deleted gone Gone',
      );
      await remove('told');
    });

    test('a hook after a change has more time, since nobody waits for it', async () => {
      await install('patient', ['entities:read', 'kv']);
      await until(async () => (await logOf('patient')).some(({ message }) => message === 'began default'));
      await make('slow', 'Slow');
      await until(async () => (await logOf('patient')).some(({ message }) => message === 'created slow'));
      const ofCreate = (await logOf('patient')).filter(({ call }) => call === 'on-entity-create');
      assert.ok(ofCreate.every(({ kind }) => kind === 'said'));
      await remove('patient');
    });

    test('a guest reads what was set for it, with secrets, defaults and the permission to', async () => {
      const settings = {
        global: [
          { key: 'address', label: 'Address', type: 'secret' },
          { key: 'pause', label: 'Pause', type: 'integer', default: 30 },
          { key: 'world', label: 'World', type: 'string' },
        ],
        user: [{ key: 'own', label: 'Own', type: 'string' }],
      };
      const seen = async (id: string) => (await custom(id, 'GET', '/settings')).json();
      await install('set', ['settings:read'], settings);
      assert.deepEqual(await seen('set'), { address: null, pause: 30, world: null });
      const values = { address: 'https://chat.example/secret', world: 'Aurelia' };
      const change = await core.call('PUT', '/api/plugins/set/settings', { body: values });
      assert.equal(change.status, 200, change.text);
      assert.ok(!change.text.includes('secret'));
      assert.deepEqual(await seen('set'), { ...values, pause: 30 });
      await remove('set');
      await install('unset', [], settings);
      assert.deepEqual(await seen('unset'), {});
      await remove('unset');
    });

    test('routes of a plugin are behind the rights of the caller and the grants of the plugin', async () => {
      await install('routed', ['entities:read', 'entities:write']);
      const reply = await custom('routed', 'POST', '/report?days=7', 'hello');
      assert.equal(reply.statusCode, 201, reply.body);
      assert.equal(reply.body, 'POST /report?days=7 hello admin true');
      assert.equal(reply.headers['x-secret'], undefined);
      assert.equal(reply.headers['set-cookie'], undefined);
      assert.match(String(reply.headers['content-security-policy']), /sandbox/);
      assert.equal(
        (await custom('routed', 'POST', '/write', 'mira')).body.includes('"occupation":"smith"'),
        true,
      );
      const { body } = await core.call<{ revisions: { via: string[] }[] }>(
        'GET',
        '/api/entity/character/mira/revisions',
      );
      assert.deepEqual(body.revisions[0]?.via, ['routed']);
      assert.match((await custom('routed', 'POST', '/write', 'nobody')).body, /^refused: .*nobody/);
      assert.match((await custom('routed', 'GET', '/write')).body, /^refused/);
      const viewer = await core.registerViewer();
      assert.match(
        (await custom('routed', 'POST', '/write', 'mira', viewer)).body,
        /refused: the caller may not/,
      );
      assert.match((await custom('routed', 'POST', '/set', '', viewer)).body, /^refused/);
      assert.equal((await custom('routed', 'POST', '/set')).body, 'ok');
      const asScript = await core.app.inject({
        url: '/api/plugins/routed/custom/x',
        headers: { authorization: `Bearer ${core.adminToken}`, 'sec-fetch-dest': 'script' },
      });
      assert.equal(asScript.statusCode, 403);
      assert.match((await custom('routed', 'POST', '/emit')).body, /refused: the permission events:emit/);
      assert.equal((await custom('routed', 'GET', '/throw')).statusCode, 502);
      assert.equal((await custom('routed', 'POST', '/large', 'x'.repeat(300_000))).statusCode, 413);
      assert.equal((await core.call('GET', '/api/plugins/routed/custom/x', { token: null })).status, 401);
      await remove('routed');
      await install('ungranted', []);
      assert.match((await custom('ungranted', 'GET', '/x')).body, /false$/);
      await remove('ungranted');
    });

    test('the log says what a guest did, was refused and failed at, in which call and how long it took', async () => {
      await install('logged', ['entities:read', 'entities:write', 'events:emit', 'http:127.0.0.1:1']);
      await until(async () => (await logOf('logged')).some(({ message }) => message === 'began default'));
      await make('logged_one', 'upper words');
      await make('logged_two', 'Forbidden');
      for (const path of ['/emit', '/send', '/send?to=elsewhere', '/throw?secret=1'])
        await custom('logged', 'POST', path);
      await custom('logged', 'POST', '/write', 'mira');
      await custom('logged', 'GET', '/write');
      const lines = await logOf('logged');
      const shown = lines.map(({ kind, call, about, message }) => [kind, call, about, message].join(' | '));
      for (const line of [
        'did | on-entity-save | character/logged_one | It answered with another state to save: name, occupation',
        'did | on-entity-validate | character/logged_two | It refused what was to be saved: name: this name is taken by history',
        'did | handle-request | POST /emit | It emitted the event rang',
        'did | handle-request | POST /write | It changed character/mira: occupation',
        'refused | handle-request | POST /send | It could not send GET to elsewhere.example: the permission http:elsewhere.example was not granted',
        'refused | handle-request | GET /write | It could not change character/: a GET changes no entity',
      ])
        assert.ok(shown.includes(line), `${line}\nis not in\n${shown.join('\n')}`);
      const unanswered = /^refused .* POST \/send .*It could not send GET to 127\.0\.0\.1:1: /;
      assert.ok(
        shown.some((line) => unanswered.test(line)),
        shown.join('\n'),
      );
      assert.ok(shown.some((line) => /^failed \| handle-request \| POST \/throw \| /.test(line)));
      assert.ok(shown.every((line) => !line.includes('secret')));
      for (const { took_ms, call } of lines) assert.ok(Number.isInteger(took_ms), String(call));
      assert.deepEqual(
        lines.map(({ seq }) => seq),
        lines.map((_, at) => lines.length - at),
      );

      const kinds = new Set((await logOf('logged', '?kind=did')).map(({ kind }) => kind));
      assert.deepEqual([...kinds], ['did']);
      const bad = new Set((await logOf('logged', '?level=warn')).map(({ level }) => level));
      assert.deepEqual([...bad].sort(), ['error', 'warn']);
      const older = await logOf('logged', `?limit=2&before=${lines[2]?.seq}`);
      assert.deepEqual(older, lines.slice(3, 5));
      assert.equal((await core.call('GET', '/api/plugins/logged/log?kind=other')).status, 422);
      await remove('logged');
    });

    test('all calls of a guest are counted, and so is the room that a plugin takes', async () => {
      await install('counted', ['entities:read', 'kv']);
      await until(async () => (await logOf('counted')).some(({ message }) => message === 'began default'));
      const usageOf = async () =>
        (await core.call<PluginUsageReply>('GET', '/api/plugins/counted/usage')).body;
      const before = await usageOf();
      assert.ok(before.file_bytes > component.length);
      assert.equal(before.values, 0);
      for (const path of ['/x', '/set', '/throw']) await custom('counted', 'POST', path);
      await custom('counted', 'POST', '/x');
      const usage = await usageOf();
      assert.deepEqual([usage.values, usage.value_bytes, usage.records], [1, 2, 0]);
      const routes = usage.calls.find(({ call }) => call === 'handle-request');
      assert.ok(routes);
      assert.deepEqual([routes.calls, routes.failed], [4, 1]);
      assert.ok(routes.mean_ms > 0 && routes.slowest_ms >= routes.mean_ms, JSON.stringify(routes));
      assert.ok(routes.last_failed_at !== null && routes.last_failed_at <= routes.last_at);
      assert.ok(
        usage.calls.some(({ call, last_failed_at }) => call === 'on-project-init' && !last_failed_at),
      );
      const viewer = await core.registerViewer();
      assert.equal((await core.call('GET', '/api/plugins/counted/usage', { token: viewer })).status, 403);
      await remove('counted');
      await install('counted', []);
      assert.ok((await usageOf()).calls.every(({ call }) => call !== 'handle-request'));
      await remove('counted');
    });

    test('what a guest says in odd letters, and answers that no entity can hold, harm nothing', async () => {
      await install('odd', []);
      assert.equal((await make('odd_letters', 'Odd letters')).status, 201);
      await until(async () => (await logOf('odd')).some(({ message }) => message.startsWith('a\uFFFDb')));
      const blank = await make('blank', 'Blank it');
      assert.equal(blank.status, 201, blank.text);
      assert.equal(blank.body.name, 'Blank it');
      assert.ok((await logOf('odd')).some(({ message }) => message.startsWith('The answer cannot be saved')));
      const status = await core.call<{ status: string }>('POST', '/api/entity/character', {
        body: { entity_id: 'odd_status', name: 'Odd status' },
      });
      assert.equal(status.body.status, 'draft');
      await remove('odd');
    });

    test('a component that is no guest is refused, and nothing is installed', async () => {
      const capabilities = { backend: { entry: 'guest.wasm' } };
      for (const wrong of ['no wasm', Buffer.from('\0asm\x01\0\0\0', 'latin1')]) {
        const reply = await uploadPlugin(
          core,
          pluginZip({ id: 'wrong', capabilities }, { 'guest.wasm': wrong }),
        );
        assert.equal(reply.status, 422, reply.text);
        assert.equal(reply.body.code, 'invalid_guest');
      }
      assert.equal((await core.call('GET', '/api/plugins/wrong')).status, 404);
    });

    test('a guest that breaks limits is stopped, the save goes on, and three breaks disable it', async () => {
      await install('breaker', []);
      const made = await make('looper', 'Loop');
      assert.equal(made.status, 201, made.text);
      assert.equal((await custom('breaker', 'GET', '/loop')).statusCode, 504);
      await until(async () => {
        const { body } = await core.call<{ state: string }>('GET', '/api/plugins/breaker');
        if (body.state === 'enabled') await make(`again${Math.random().toString(36).slice(2)}`, 'Loop');
        return body.state === 'disabled';
      });
      await until(async () =>
        (await logOf('breaker')).some(({ message }) => message.includes('broke limits 3 times')),
      );
      assert.equal((await custom('breaker', 'GET', '/x')).statusCode, 409);
      await remove('breaker');
    });
  });
});
