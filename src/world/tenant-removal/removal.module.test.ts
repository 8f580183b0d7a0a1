import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestSqlite } from '../../../test/support/databases.ts';
import { hashOfRows } from '../../../test/support/tenant-state.ts';
import { createTestLog } from '../../../test/support/test-log.ts';
import { startTwoTenants } from '../../../test/support/two-tenants.ts';
import { until } from '../../../test/support/until.ts';
import { createTenantRemoval } from './removal.module.ts';

test('content whose removal breaks off is removed in the next round, and only then are its accounts', async () => {
  const core = await startTwoTenants(openTestSqlite);
  const reply = await core.app.inject({
    method: 'POST',
    url: '/api/entity/character',
    headers: { authorization: 'Bearer one' },
    payload: { entity_id: 'mira', name: 'Mira' },
  });
  assert.equal(reply.statusCode, 201, reply.body);

  const did: string[] = [];
  /** Fails the first time. */
  const step = (name: string) => {
    did.push(name);
    if (did.filter((each) => each === name).length === 1) throw new Error(`${name} failed`);
  };
  const ended = new Set(['one']);
  const { log, warnings } = createTestLog();
  const removal = createTenantRemoval({
    accounts: {
      async endedTenants() {
        step('ask');
        return [...ended];
      },
      async forgetTenant(tenantId) {
        assert.equal(await hashOfRows(core.database, tenantId), await hashOfRows(core.database, 'nobody'));
        step('forget');
        ended.delete(tenantId);
      },
    },
    projects: core.projects,
    database: core.database,
    removeFolders: async () => step('folders'),
    log,
    everyMs: 5,
  });
  await removal.start?.();
  await until(() => ended.size === 0);
  await removal.stop?.();
  await core.close();
  assert.deepEqual(did.slice(0, 7), ['ask', 'ask', 'folders', 'ask', 'folders', 'forget', 'ask']);
  for (const step of ['ask', 'folders', 'forget'])
    assert.ok(warnings.some((line) => line.endsWith(`not removed yet: ${step} failed`)));
});

test('a tenant whose content cannot be removed keeps no other', async () => {
  const core = await startTwoTenants(openTestSqlite);
  const forgotten: string[] = [];
  const { log, warnings } = createTestLog();
  const removal = createTenantRemoval({
    accounts: {
      endedTenants: async () => ['one', 'two'].filter((each) => !forgotten.includes(each)),
      forgetTenant: async (tenantId) => void forgotten.push(tenantId),
    },
    projects: core.projects,
    database: core.database,
    async removeFolders(tenantId) {
      if (tenantId === 'one') throw new Error('the folder is read-only');
    },
    log,
    everyMs: 5,
  });
  await removal.start?.();
  await until(() => forgotten.length > 0);
  await removal.stop?.();
  await core.close();
  assert.deepEqual(forgotten, ['two']);
  assert.equal(warnings.filter((line) => line.endsWith('the folder is read-only')).length, 1);
});
