import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from '../../../../test/support/core.ts';
import { openTestSqlite } from '../../../../test/support/databases.ts';
import { buildGuest } from '../../../../test/support/guests/build-guest.ts';
import { pluginZip, uploadPlugin } from '../../../../test/support/plugins.ts';
import { until } from '../../../../test/support/until.ts';
import type { PluginsDb } from '../plugin-states.store.ts';

/** Finds something after a while, as one that thinks. */
const SLOW_GUEST = `
export const metadata = { getInfo: () => ({ name: 'Slow', version: '1.0.0', description: '' }) };
export const hooks = {
  onEntityValidate() {
    for (const begun = Date.now(); Date.now() - begun < 50;);
    return [{ severity: 'info', field: null, message: 'seen' }];
  },
  onEntitySave() { return null; },
  onEntityCreate() {},
  onEntityDelete() {},
  onProjectInit() {},
};
`;
const ENTITIES = 120;

test('a service that stops leaves what is still to be checked to the next start', async (t) => {
  const opened = await openTestSqlite({ forCore: true });
  t.after(() => opened.close());
  const core = await startCore({ open: async () => ({ ...opened, close: opened.release }) });
  const names = Array.from({ length: ENTITIES }, (_, index) => `person_${index}`);
  for (const entity_id of names)
    await core.call('POST', '/api/entity/character', { body: { entity_id, name: entity_id } });
  const guest = await buildGuest(SLOW_GUEST, 'plugin-with-hooks');
  const capabilities = { backend: { entry: 'guest.wasm' } };
  const reply = await uploadPlugin(core, pluginZip({ capabilities }, { 'guest.wasm': guest }));
  assert.equal(reply.status, 201, reply.text);
  const found = async () =>
    (await core.call<{ total: number }>('GET', '/api/plugins/findings?limit=1')).body.total;
  await until(async () => (await found()) > 0);
  await core.close();
  const { total } = await opened.again().system.read((db: PluginsDb) =>
    db
      .selectFrom('plugin_findings')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  );
  assert.ok(Number(total) < ENTITIES, String(total));
});
