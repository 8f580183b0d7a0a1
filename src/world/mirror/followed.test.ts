import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { saveFile } from '../../../test/support/save-file.ts';

forEachDatabase((_name, open) => {
  describe('a change of templates and rules', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const get = async () =>
      (
        await core.call<{ fields: Record<string, unknown>; is_valid: boolean }>(
          'GET',
          '/api/entity/character/ada',
        )
      ).body;

    test('is answered when entities follow from it', async () => {
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'ada', name: 'Ada' } });
      const template = await core.call('PUT', '/api/templates/character', {
        body: { frontmatter: { shoe_size: 43 } },
      });
      assert.equal(template.status, 200, template.text);
      assert.equal((await get()).fields.shoe_size, 43);
      const rule = { description: 'Small feet.', severity: 'error', validation_type: 'range', max: 40 };
      const added = await core.call('POST', '/api/rules/character', {
        body: { id: 'small_feet', applies_to: 'shoe_size', ...rule },
      });
      assert.equal(added.status, 201, added.text);
      assert.equal((await get()).is_valid, false);
      const removed = await core.call('DELETE', '/api/rules/character/small_feet');
      assert.equal(removed.status, 200, removed.text);
      assert.equal((await get()).is_valid, true);
    });

    test('is followed too where a file changed and a reload was asked for', async () => {
      saveFile(
        join(core.contentDir, '_Templates/Custom/SHIP_TEMPLATE.md'),
        '---\nentity_type: ship\nfolder_name: Ships\nfile_prefix: SHIP_\ncrew: 12\n---\n',
      );
      saveFile(join(core.contentDir, 'Ships/argo/SHIP_argo.md'), '---\nid: argo\nname: Argo\n---\n');
      assert.equal((await core.call('POST', '/api/templates/reload')).status, 200);
      const { status, body } = await core.call<{ fields: object }>('GET', '/api/entity/ship/argo');
      assert.deepEqual([status, body.fields], [200, { crew: 12 }]);
    });
  });
});
