import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../../test/support/core.ts';
import { openTestSqlite } from '../../../../test/support/databases.ts';
import { buildGuest } from '../../../../test/support/guests/build-guest.ts';
import { pluginZip, uploadPlugin } from '../../../../test/support/plugins.ts';
import { until } from '../../../../test/support/until.ts';
import { entityUpdated } from '../../records/entity.events.ts';
import type { RecordsDb } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';

/** Says of each entity which version has seen it, and takes its time for it. */
const guest = (version: string, { ms = 0 } = {}) => `
import log from 'canonry:plugin/log@1.0.0';
let saves = 0;
const wait = (ms) => { for (const begun = Date.now(); Date.now() - begun < ms;); };
export const metadata = { getInfo: () => ({ name: 'Test', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntityValidate({ entity }) {
    const { name } = JSON.parse(entity);
    if (name === 'Loop') for (;;);
    log.log('info', 'checked');
    wait(${ms});
    if (name === 'Forbidden') return [{ severity: 'error', field: null, message: 'not this' }];
    return [{ severity: 'info', field: null, message: '${version}' }];
  },
  onEntitySave() { saves += 1; return null; },
  onEntityCreate({ id }) { log.log('info', 'created ' + id); },
  onEntityDelete() {},
  onProjectInit() { log.log('info', 'began'); throw 'not quite'; },
};
export const routes = { handleRequest: () => ({ status: 200, headers: [], body: JSON.stringify({ saves }) }) };
`;
const WITHOUT_HOOKS = `
export const metadata = { getInfo: () => ({ name: 'Test', version: '3.0.0', description: '' }) };
`;

async function start(t: TestContext, entities: number) {
  const opened = await openTestSqlite({ forCore: true });
  t.after(() => opened.close());
  const core = await startCore({ open: async () => ({ ...opened, close: opened.release }) });
  const close = { once: false };
  const stop = async () => {
    if (close.once) return;
    close.once = true;
    await core.close();
  };
  t.after(stop);
  for (let index = 0; index < entities; index += 1) await make(core, `person_${index}`);
  return { core, opened, stop };
}

const make = (core: TestCore, entity_id: string, name = entity_id) =>
  core.call<{ code: string }>('POST', '/api/entity/character', { body: { entity_id, name } });

async function install(core: TestCore, id: string, source: string, version = '1.0.0') {
  const component = await buildGuest(source, source === WITHOUT_HOOKS ? 'plugin' : 'plugin-full');
  const capabilities = { backend: { entry: 'guest.wasm' } };
  const archive = pluginZip({ id, version, capabilities }, { 'guest.wasm': component });
  const reply = await uploadPlugin(core, archive);
  assert.equal(reply.status, 201, reply.text);
}

const messagesOf = async (core: TestCore, id: string): Promise<string[]> => {
  const { body } = await core.call<{ lines: { message: string }[] }>(
    'GET',
    `/api/plugins/${id}/log?limit=1000`,
  );
  return body.lines.map(({ message }) => message);
};
const checksOf = async (core: TestCore, id: string): Promise<number> =>
  (await messagesOf(core, id)).filter((message) => message === 'checked').length;

async function findingsOf(core: TestCore) {
  const { body } = await core.call<{ total: number; findings: { entity_id: string; message: string }[] }>(
    'GET',
    '/api/plugins/findings?limit=500',
  );
  return { ...body, seen: new Set(body.findings.map(({ message }) => message)) };
}

test('a plugin that is disabled while it checks is called no more, and leaves nothing', async (t) => {
  const { core, opened, stop } = await start(t, 40);
  await install(core, 'slow', guest('one', { ms: 100 }));
  await until(async () => (await checksOf(core, 'slow')) > 3);
  assert.equal((await core.call('POST', '/api/plugins/slow/disable')).status, 200);
  const checks = await checksOf(core, 'slow');
  assert.ok(checks < 40, String(checks));
  await stop();
  const database = opened.again().system;
  const [findings, cursors, lines, counts] = await Promise.all([
    database.read((db: PluginsDb) => db.selectFrom('plugin_findings').selectAll().execute()),
    database.read((db: RecordsDb) =>
      db.selectFrom('feed_cursors').select('reader').where('reader', 'like', 'plugin slow %').execute(),
    ),
    database.read((db: PluginsDb) =>
      db.selectFrom('plugin_log').selectAll().where('message', '=', 'checked').execute(),
    ),
    database.read((db: PluginsDb) =>
      db.selectFrom('plugin_call_counts').selectAll().where('call', '=', 'on-entity-validate').execute(),
    ),
  ]);
  assert.deepEqual([findings, cursors, lines.length], [[], [], checks]);
  // The call that was ended for the plugin's end says nothing about the plugin, so it is not counted.
  assert.ok((counts[0]?.calls ?? 0) >= checks - 1, 'what was counted is written when the service stops');
});

test('what was found of an entity goes with it', async (t) => {
  const { core } = await start(t, 2);
  await install(core, 'checker', guest('one'));
  const { database } = openedProject(core);
  const stored = () =>
    database.read((db: PluginsDb) => db.selectFrom('plugin_findings').select('entity_row_id').execute());
  await until(async () => (await stored()).length === 2);
  assert.equal((await core.call('DELETE', '/api/entity/character/person_0')).status, 200);
  await until(async () => (await stored()).length === 1);
});

test('only what the present version finds counts', async (t) => {
  const { core } = await start(t, 12);
  await install(core, 'updated', guest('one', { ms: 50 }));
  await until(async () => (await findingsOf(core)).seen.has('one'));
  await install(core, 'updated', guest('two'), '2.0.0');
  assert.ok(!(await findingsOf(core)).seen.has('one'));
  await until(async () => (await findingsOf(core)).total >= 12);
  const { seen } = await findingsOf(core);
  assert.deepEqual([seen.has('one'), seen.has('two')], [false, true]);
  assert.equal((await messagesOf(core, 'updated')).filter((line) => line === 'began').length, 1);
  await install(core, 'updated', WITHOUT_HOOKS, '3.0.0');
  assert.equal((await findingsOf(core)).total, 0);
  const { database } = openedProject(core);
  await until(
    async () =>
      (await database.read((db: PluginsDb) => db.selectFrom('plugin_findings').selectAll().execute()))
        .length === 0,
  );
});

test('an entity on which a guest breaks is reported, and the others are checked', async (t) => {
  const { core } = await start(t, 3);
  await make(core, 'poison', 'Loop');
  await make(core, 'after', 'After');
  await install(core, 'broken', guest('one'));
  await until(async () => (await findingsOf(core)).findings.some(({ entity_id }) => entity_id === 'after'));
  const { findings } = await findingsOf(core);
  const poisoned = findings.filter(({ entity_id }) => entity_id === 'poison');
  assert.match(String(poisoned.map(({ message }) => message)), /^This could not be checked: It took longer/);
  assert.equal(findings.length, 5);
});

test('plugins do not wait for each other: what was made is told while another one checks', async (t) => {
  const { core } = await start(t, 300);
  await buildGuest(guest('two'));
  await install(core, 'slow', guest('one', { ms: 100 }));
  await until(async () => (await checksOf(core, 'slow')) > 0);
  await install(core, 'quick', guest('two'));
  await until(async () => (await messagesOf(core, 'quick')).includes('began'));
  await make(core, 'fresh', 'Fresh');
  await until(async () => (await messagesOf(core, 'quick')).includes('created fresh'));
  await until(async () => (await checksOf(core, 'quick')) > 0);
  const checks = await checksOf(core, 'slow');
  assert.ok(checks < 300, String(checks));
  const messages = await messagesOf(core, 'quick');
  assert.equal(messages.filter((line) => line === 'began').length, 1, 'one that failed is not repeated');
});

test('saves have an instance of their own, so that none waits for a route or a late hook', async (t) => {
  const { core } = await start(t, 0);
  await install(core, 'strict', guest('one'));
  let tries = 0;
  await until(async () => {
    tries += 1;
    return (await make(core, `never_${tries}`, 'Forbidden')).body.code === 'refused_by_plugin';
  });
  const reply = await core.call('GET', '/api/plugins/strict/custom/saves');
  assert.deepEqual(reply.body, { saves: 0 });
});

test('a plugin for which nothing is new costs nothing', async (t) => {
  const { core } = await start(t, 3);
  await install(core, 'idle', guest('one'));
  await until(async () => (await findingsOf(core)).total >= 3);
  const project = openedProject(core);
  const { ifFree } = project.database;
  const asked: string[] = [];
  project.database.ifFree = (key, work, otherwise) => {
    if (key.startsWith('plugin guest')) asked.push(key);
    return ifFree(key, work, otherwise);
  };
  // The pass that stored the findings may still be at its end.
  await until(async () => {
    asked.length = 0;
    await core.call('POST', '/api/entity/sync/all');
    await core.call('POST', '/api/entity/sync/all');
    return asked.length === 0;
  });
  await make(core, 'fresh', 'Fresh');
  await until(() => asked.length > 0);
});

test('a project that another process removed has nothing to tell, which is no fault', async (t) => {
  const { core, stop } = await start(t, 1);
  const faults = core.expectErrors(/plugin/);
  const project = openedProject(core);
  await core.database.system.write(async (db: RecordsDb) => {
    await db.deleteFrom('entities').execute();
    await db.deleteFrom('projects').execute();
  });
  const change = { entity_type: 'character', entity_id: 'person_0', action: 'delete' as const };
  const timestamp = '2026-03-02T10:15:00.000Z';
  core.bus.publish(project, entityUpdated, { ...change, updated_fields: [], updated_by: null, timestamp });
  await core.bus.idle();
  await stop();
  assert.deepEqual(faults, []);
});
