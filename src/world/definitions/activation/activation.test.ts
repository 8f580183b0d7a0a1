import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase, type OpenedDatabase } from '../../../../test/support/databases.ts';
import { type TemplatesWorld, templatesWorld, templateText } from '../../../../test/support/templates.ts';
import { STARTER_PACKS } from '../../../content/packs.ts';
import type { RecordTables } from '../../records/records.tables.ts';

const FREE = { as: 'admin:free' } as const;

forEachDatabase((_name, open) => {
  let opened: OpenedDatabase;
  let world: TemplatesWorld;
  beforeEach(async () => {
    opened = await open();
    world = await templatesWorld(opened.database);
  });
  afterEach(async () => {
    await world.close();
    await opened.close();
  });

  const active = async (projectId = 'default') =>
    (await world.ask('GET', `tenant/active-templates?project_id=${projectId}`)).body;
  const activate = (entity_type: string, asking: object = FREE) =>
    world.ask('POST', 'tenant/activate-template', { entity_type }, asking);

  test('a type is activated, shown and deactivated', async () => {
    const { status, body } = await activate('faction');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.entity_type, body.category, body.source, body.is_active],
      ['faction', 'entity', 'standard', true],
    );
    assert.deepEqual(await active(), {
      active_types: ['faction'],
      core_types: ['assembly', 'dialogue', 'quest', 'timeline'],
      total_active: 1,
      plan: 'enterprise',
    });
    assert.equal((await activate('faction')).status, 200);
    assert.equal((await active()).total_active, 1);
    const off = await world.ask('DELETE', 'tenant/deactivate-template', { entity_type: 'faction' });
    assert.deepEqual([off.status, off.body.is_active], [200, false]);
    assert.equal((await active()).total_active, 0);
    const twice = await world.ask('DELETE', 'tenant/deactivate-template', { entity_type: 'faction' });
    assert.equal(twice.status, 200);
  });

  test('available types carry their category and can be narrowed to one', async () => {
    await activate('brand');
    const all = (await world.ask('GET', 'tenant/available-templates')).body;
    assert.equal(all.length, 16);
    const on = all.filter((one: { is_active: boolean }) => one.is_active);
    assert.deepEqual(
      on.map((one: { entity_type: string }) => one.entity_type),
      ['assembly', 'brand', 'dialogue', 'quest', 'timeline'],
    );
    const documents = (await world.ask('GET', 'tenant/available-templates?category=document')).body;
    assert.deepEqual(
      documents.map((one: { entity_type: string }) => one.entity_type),
      ['style_bible'],
    );
    assert.equal((await world.ask('GET', 'tenant/available-templates?category=odd')).status, 422);
  });

  test('core types are always active, count nowhere and cannot be deactivated', async () => {
    const on = await activate('quest');
    assert.deepEqual([on.status, on.body.category, on.body.is_active], [200, 'core', true]);
    assert.equal((await active()).total_active, 0);
    const off = await world.ask('DELETE', 'tenant/deactivate-template', { entity_type: 'quest' });
    assert.equal(off.status, 400);
  });

  test('a template that calls itself core counts all the same', async () => {
    await world.put('Standard/SPY_TEMPLATE.md', templateText('entity_type: spy\ntemplate_category: core'));
    await world.registry.reload(world.project);
    assert.equal((await activate('spy')).body.category, 'entity');
    assert.equal((await active()).total_active, 1);
  });

  test('types that are not there are 404', async () => {
    assert.equal((await activate('wizard')).status, 404);
    const off = await world.ask('DELETE', 'tenant/deactivate-template', { entity_type: 'wizard' });
    assert.equal(off.status, 404);
  });

  test('an activation whose template is gone can still be taken back', async () => {
    await world.put('Custom/SPY_TEMPLATE.md', templateText('entity_type: spy'));
    await world.registry.reload(world.project);
    await activate('spy');
    await world.remove('Custom');
    await world.registry.reload(world.project);
    assert.deepEqual((await active()).active_types, ['spy']);
    const off = await world.ask('DELETE', 'tenant/deactivate-template', { entity_type: 'spy' });
    assert.equal(off.status, 200);
    assert.equal((await active()).total_active, 0);
  });

  test('types of one’s own are activated without using up the limit', async () => {
    const own = ['ship', 'crew', 'port'];
    for (const type of own)
      await world.put(`Custom/${type.toUpperCase()}_TEMPLATE.md`, templateText(`entity_type: ${type}`));
    await world.registry.reload(world.project);
    for (const type of own) assert.equal((await activate(type)).status, 200);
    for (const type of ['faction', 'brand', 'item', 'job', 'event'])
      assert.equal((await activate(type)).status, 200);
    assert.equal((await activate('location')).status, 403);
    assert.deepEqual((await active()).active_types, ['brand', 'event', 'faction', 'item', 'job']);
    const available = (await world.ask('GET', 'tenant/available-templates')).body;
    const isOn = (type: string) =>
      available.find((one: { entity_type: string }) => one.entity_type === type).is_active;
    assert.deepEqual(own.map(isOn), [true, true, true]);
  });

  test('of 20 activations at once the free plan lets exactly five through', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `kind_${index}`);
    for (const name of names) {
      await world.put(`Standard/${name.toUpperCase()}_TEMPLATE.md`, templateText(`entity_type: ${name}`));
    }
    await world.registry.reload(world.project);
    const replies = await Promise.all(names.map((name) => activate(name)));
    assert.equal(replies.filter((reply) => reply.status === 200).length, 5);
    const refused = replies.filter((reply) => reply.status === 403);
    assert.equal(refused.length, 15);
    assert.match(refused[0]?.body.detail, /free allows 5 active types/);
    assert.equal((await active()).total_active, 5);
  });

  test('a pack activates all its types, or none where the plan has no room', async () => {
    const pack = (pack_id: string, asking: object = FREE) =>
      world.ask('POST', 'tenant/activate-starter-pack', { pack_id }, asking);
    await activate('character');
    const first = await pack('core-essentials');
    assert.deepEqual(first.body, {
      pack_id: 'core-essentials',
      project_id: 'default',
      newly_activated: ['location', 'item', 'biome'],
      total_active: 4,
    });
    const full = await pack('full-starter');
    assert.equal(full.status, 403);
    assert.equal((await active()).total_active, 4);
    assert.equal((await pack('full-starter', { as: 'admin:indie' })).body.total_active, 8);
    assert.equal((await pack('nonsense')).status, 404);
  });

  test('a pack whose templates are not all there activates nothing', async () => {
    await world.remove('Standard/DISTRICT_TEMPLATE.md');
    await world.registry.reload(world.project);
    const reply = await world.ask('POST', 'tenant/activate-starter-pack', { pack_id: 'starter-locations' });
    assert.equal(reply.status, 422);
    assert.match(reply.body.detail, /district/);
    assert.equal((await active()).total_active, 0);
  });

  test('every shipped pack fits the shipped templates', async () => {
    const { packs } = (await world.ask('GET', 'tenant/starter-packs')).body;
    assert.equal(packs.length, STARTER_PACKS.length);
    for (const { pack_id, types, type_count } of packs) {
      assert.equal(type_count, types.length);
      assert.equal(
        (await world.ask('POST', 'tenant/activate-starter-pack', { pack_id })).status,
        200,
        pack_id,
      );
    }
  });

  test('activations belong to a project, named in body, query or header', async () => {
    const body = { entity_type: 'item', project_id: 'other' };
    assert.equal((await world.ask('POST', 'tenant/activate-template', body)).status, 200);
    await world.ask('POST', 'tenant/activate-template?project_id=third', { entity_type: 'job' });
    const headers = { 'x-project-id': 'third' };
    await world.ask('POST', 'tenant/activate-template', { entity_type: 'brand' }, { headers });
    assert.deepEqual((await active()).active_types, []);
    assert.deepEqual((await active('other')).active_types, ['item']);
    assert.deepEqual((await active('third')).active_types, ['brand', 'job']);
  });

  test('only admins activate, every signed-in user may look', async () => {
    assert.equal((await activate('item', { as: 'editor' })).status, 403);
    assert.equal((await activate('item', { as: null })).status, 401);
    for (const url of ['available-templates', 'active-templates', 'starter-packs', 'usage']) {
      assert.equal((await world.ask('GET', `tenant/${url}`, undefined, { as: 'viewer' })).status, 200, url);
      assert.equal((await world.ask('GET', `tenant/${url}`, undefined, { as: null })).status, 401, url);
    }
  });

  test('usage counts entities, not templates, against the plan', async () => {
    const { body } = await world.ask('GET', 'tenant/usage', undefined, FREE);
    assert.deepEqual(body, {
      entities_count: 0,
      entities_limit: 100,
      over_plan: 0,
      storage_configured: true,
      plan: 'free',
      can_create: true,
      block_reason: null,
    });
    await opened.database
      .tenant('local')
      .write((db: Kysely<RecordTables>) =>
        db
          .insertInto('entity_counts')
          .values({ tenant_id: 'local', project_id: 'x', entity_type: 'item', status: 'active', total: 100 })
          .execute(),
      );
    const full = (await world.ask('GET', 'tenant/usage', undefined, FREE)).body;
    assert.equal(full.can_create, false);
    assert.match(full.block_reason, /100 entities/);
    const unlimited = (await world.ask('GET', 'tenant/usage')).body;
    assert.deepEqual([unlimited.entities_limit, unlimited.can_create], [-1, true]);
  });
});
