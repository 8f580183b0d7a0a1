import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { createMemoryKeyValue } from '../../../platform/kv/adapters/memory-kv.ts';
import { createTurns } from './turns.ts';

forEachDatabase((_name, open) => {
  test('a project that always has something to do lets those that wait go first', async (t) => {
    const opened = await open();
    t.after(opened.close);
    const turns = createTurns({ database: opened.database, keyValue: createMemoryKeyValue() });
    const take = (projectId: string, tenantId = 'ada', work = async () => {}) =>
      turns.take(
        { tenantId, projectId },
        async () => {
          await work();
          return true;
        },
        false,
      );
    const whileItWorks = async () => {
      assert.deepEqual([await take('second'), await take('third')], [false, false]);
      assert.ok(await take('theirs', 'bo'));
    };
    assert.ok(await take('first', 'ada', whileItWorks));
    assert.equal(await take('first'), false);
    assert.ok(await take('third'));
    assert.deepEqual([await take('first'), await take('third')], [false, false]);
    assert.ok(await take('second'));
    assert.ok(await take('first'));
    await assert.rejects(
      take('first', 'ada', async () => {
        throw new RangeError('It fails');
      }),
      RangeError,
    );
    assert.ok(await take('second'));
  });
});
