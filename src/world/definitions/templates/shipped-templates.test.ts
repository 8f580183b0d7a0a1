import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { forEachDatabase, type OpenedDatabase } from '../../../../test/support/databases.ts';
import { type TemplatesWorld, templatesWorld, templateText } from '../../../../test/support/templates.ts';

forEachDatabase((_name, open) => {
  let opened: OpenedDatabase;
  let world: TemplatesWorld;
  beforeEach(async () => {
    opened = await open();
    world = await templatesWorld(opened.database, { isEmpty: true });
  });
  afterEach(async () => {
    await world.close();
    await opened.close();
  });

  const add = (body: object = {}, asking: object = {}) =>
    world.ask('POST', 'templates/shipped', body, asking);

  test('a project without templates gets those of a pack, and then the rest', async () => {
    const locations = await add({ pack_id: 'starter-locations' });
    assert.deepEqual(locations, {
      status: 200,
      etag: undefined,
      body: { added: ['district', 'location'], total: 2 },
    });
    const all = (await add()).body;
    assert.deepEqual([all.added.length, all.total], [14, 16]);
    assert.deepEqual((await add()).body, { added: [], total: 16 });
  });

  test('what is there stays: a file of the same name, and a type of the same name elsewhere', async () => {
    const own = templateText('entity_type: faction\nfolder_name: Houses');
    await world.put('Custom/FACTION_TEMPLATE.md', own);
    await world.put('Standard/ITEM_TEMPLATE.md', 'Not a template yet.\n');
    const { added, total } = (await add()).body;
    assert.deepEqual([added.includes('faction'), added.includes('item'), total], [false, false, 15]);
    assert.equal(await world.read('Standard/ITEM_TEMPLATE.md'), 'Not a template yet.\n');
    await assert.rejects(world.read('Standard/FACTION_TEMPLATE.md'));
  });

  test('only who manages templates adds them, and only packs that there are', async () => {
    assert.equal((await add({}, { as: 'editor' })).status, 403);
    const unknown = await add({ pack_id: 'starter-dragons' });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'unknown_pack']);
  });
});
