import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import { createHintBackoff } from './hint-backoff.ts';

test('paths are passed on at once, after a failure later and later, and at once when a run ends well', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const passed: (readonly string[])[] = [];
  const hints = createHintBackoff((paths) => void passed.push(paths));
  const taken = () => passed.splice(0);

  hints.hint(['a']);
  assert.deepEqual(taken(), [['a']]);
  hints.ran(false);
  hints.hint(['b']);
  hints.hint(['b', 'c']);
  t.mock.timers.tick(499);
  assert.deepEqual(taken(), []);
  t.mock.timers.tick(1);
  assert.deepEqual(taken(), [['b', 'c']]);
  hints.ran(false);
  hints.hint(['d']);
  t.mock.timers.tick(999);
  assert.deepEqual(taken(), []);
  hints.ran(true);
  assert.deepEqual(taken(), [['d']]);
  hints.hint(['e']);
  assert.deepEqual(taken(), [['e']]);
  for (let time = 0; time < 20; time += 1) hints.ran(false);
  hints.hint(['f']);
  t.mock.timers.tick(60_000);
  assert.deepEqual(taken(), [['f']]);
  hints.hint(['g']);
  hints.stop();
  t.mock.timers.tick(60_000);
  assert.deepEqual(taken(), []);
});

test('a project whose rows are gone fails to sync, and comes to rest all the same', async () => {
  const core = await startCore();
  const failed = core.expectErrors(/sync failed|what follows from changed templates|closed|project/);
  const project = await core.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
  await core.database.system.write(async (db: RecordsDb) => {
    await db.deleteFrom('entities').execute();
    await db.deleteFrom('projects').execute();
  });
  await core.mirror.sync(project, { kind: 'full' }).catch(() => {});
  assert.notEqual(failed.length, 0);
  await core.mirror.whenSettled(project);
  await core.close();
});
