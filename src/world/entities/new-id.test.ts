import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

forEachDatabase((_name, open) => {
  describe('an entity that is given no id', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const create = async (name: string) => {
      const { status, body } = await core.call<{ entity_id: string }>('POST', '/api/entity/character', {
        body: { name },
      });
      assert.equal(status, 201);
      return body.entity_id;
    };

    test('gets one made of its name', async () => {
      assert.equal(await create('Mira Vale'), 'mira_vale');
      assert.equal(await create("Ørn O'Hara-Smith!"), 'orn_ohara_smith');
      assert.equal(await create('Schema'), 'character_schema');
      assert.equal(await create('名前'), 'character');
    });

    test('gets the next free number where others took the name, also all at once', async () => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => create('Tam')));
      const numbered = Array.from({ length: 7 }, (_, index) => `tam_${index + 2}`);
      assert.deepEqual(ids.toSorted(), ['tam', ...numbered]);
    });
  });
});
