import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Type } from 'typebox';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import { createSecretBox } from '../../kit/secret-box.ts';
import { recordMigrations } from '../../world/records/records.tables.ts';
import { removeTenantRows } from '../../world/tenant-removal/tenant-rows.store.ts';
import type { SettingsScope } from './define-settings.ts';
import { createSettings, defineSettings, settingsMigrations } from './index.ts';
import type { SettingsDb } from './settings.tables.ts';

const definitionOf = <Scope extends SettingsScope>(scope: Scope, name = 'assistant') =>
  defineSettings({
    ...{ name, scope },
    schema: Type.Object({
      base_url: Type.String({ minLength: 1 }),
      models: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    }),
    secrets: ['api_key', 'token'],
  });

const PROCESSES = 10;
const TENANT = { tenantId: 'one' };
const [KEY, TOKEN] = ['sk-very-secret', 'tok-just-as-secret'];
const FULL = { base_url: 'http://a', models: { small: 1, large: 2 }, api_key: KEY, token: TOKEN };

const refused = (status: number, field?: string) => (error: unknown) => {
  assert.ok(error instanceof HttpError, String(error));
  assert.equal(error.status, status);
  if (field !== undefined) {
    assert.deepEqual(
      error.extras.errors?.map((each) => each.field),
      [field],
    );
    assert.ok(error.message.includes(field), error.message);
  }
  return true;
};

forEachDatabase((_name, open) => {
  async function openRoom(t: TestContext) {
    const opened = await open();
    t.after(() => opened.close());
    await opened.database.migrate([...recordMigrations, ...settingsMigrations]);
    const options = {
      database: opened.database,
      box: createSecretBox(new Uint8Array(32).fill(1)),
      clock: systemClock,
    };
    /** Several services over one database, as several processes have them. */
    const openAsMany = () =>
      Array.from({ length: PROCESSES }, () =>
        createSettings(definitionOf('tenant'), { ...options, database: opened.again() }),
      );
    const otherKey = { ...options, box: createSecretBox(new Uint8Array(32).fill(2)) };
    return { database: opened.database, options, openAsMany, otherKey };
  }

  test('settings are shown without their secrets, and read with them', async (t) => {
    const { options, database } = await openRoom(t);
    const settings = createSettings(definitionOf('tenant'), options);
    assert.equal(await settings.get(TENANT), null);
    assert.equal(await settings.read(TENANT), null);
    const { token: _, ...some } = FULL;
    const shown = await settings.change(TENANT, { patch: some, actor: 'mira' });
    const { base_url, models } = FULL;
    assert.deepEqual(shown.values, { base_url, models, has_api_key: true, has_token: false });
    assert.equal(shown.updatedBy, 'mira');
    assert.deepEqual(await settings.get(TENANT), shown);
    const { values, secrets, revision } = (await settings.read(TENANT)) ?? {};
    assert.deepEqual([values, secrets], [{ base_url, models }, { api_key: KEY }]);
    assert.equal(revision, shown.revision);
    const rows = await database.system.read((db: SettingsDb) =>
      db.selectFrom('settings').selectAll().execute(),
    );
    assert.equal(JSON.stringify([shown, rows]).includes(KEY), false);
  });

  test('a change merges: null removes, and what is left out stays, secrets too', async (t) => {
    const { options } = await openRoom(t);
    const settings = createSettings(definitionOf('tenant'), options);
    await settings.change(TENANT, { patch: FULL, actor: 'a' });
    await settings.change(TENANT, {
      patch: { models: { small: null, huge: 3 }, token: 'new' },
      actor: 'b',
    });
    const changed = await settings.read(TENANT);
    assert.deepEqual(changed?.values, { base_url: 'http://a', models: { large: 2, huge: 3 } });
    assert.deepEqual(changed?.secrets, { api_key: KEY, token: 'new' });
    const shown = await settings.change(TENANT, { patch: { models: null, api_key: null }, actor: 'c' });
    assert.deepEqual(shown.values, { base_url: 'http://a', has_api_key: false, has_token: true });
    assert.deepEqual((await settings.read(TENANT))?.secrets, { token: 'new' });
  });

  test('what the schema refuses is named, and changes nothing', async (t) => {
    const { options } = await openRoom(t);
    const settings = createSettings(definitionOf('tenant'), options);
    const change = (patch: Record<string, unknown>) => settings.change(TENANT, { patch, actor: 'a' });
    await assert.rejects(change({ api_key: KEY }), refused(422, 'base_url'));
    assert.equal(await settings.get(TENANT), null);
    const before = await change(FULL);
    await assert.rejects(change({ base_url: null }), refused(422, 'base_url'));
    await assert.rejects(change({ models: { small: 'x' } }), refused(422, 'models.small'));
    await assert.rejects(change({ unknown: 1 }), refused(422, 'unknown'));
    await assert.rejects(change({ has_api_key: true }), refused(422, 'has_api_key'));
    for (const api_key of ['', 5, { a: 1 }, 'x'.repeat(10_001)])
      await assert.rejects(change({ api_key, base_url: 'http://b' }), refused(422, 'api_key'));
    assert.deepEqual(await settings.get(TENANT), before);
  });

  test('fifty changes at once that know the revision: one of them wins each', async (t) => {
    const { openAsMany } = await openRoom(t);
    const rooms = openAsMany();
    const roomOf = (index: number) => rooms[index % PROCESSES] ?? assert.fail();
    let losses = 0;
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        for (;;) {
          const { revision = null, values } = (await roomOf(index).get(TENANT)) ?? {};
          const models = { [`m${index}`]: Object.keys(values?.models ?? {}).length };
          const change = { patch: { base_url: 'x', models }, actor: 'a', ifRevision: revision };
          const lost = await roomOf(index)
            .change(TENANT, change)
            .then(
              () => false,
              (error: unknown) => refused(412)(error),
            );
          if (!lost) return;
          losses += 1;
        }
      }),
    );
    const { models } = (await roomOf(0).read(TENANT))?.values ?? {};
    // Each winner counted the writes before it, so no two of them had read the same revision.
    assert.deepEqual(
      Object.values(models ?? {}).sort((one, other) => one - other),
      Array.from({ length: 50 }, (_, index) => index),
    );
    assert.ok(losses > 0);
  });

  test('fifty changes at once that ask for no revision all count', async (t) => {
    const { openAsMany } = await openRoom(t);
    const rooms = openAsMany();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        rooms[index % PROCESSES]?.change(TENANT, {
          patch: { base_url: 'x', models: { [`m${index}`]: index } },
          actor: 'a',
        }),
      ),
    );
    const { models } = (await rooms[0]?.read(TENANT))?.values ?? {};
    assert.equal(Object.keys(models ?? {}).length, 50);
  });

  test('removed settings are gone with their secrets, and an old revision stays old', async (t) => {
    const { options } = await openRoom(t);
    const settings = createSettings(definitionOf('tenant'), options);
    assert.equal(await settings.remove(TENANT), false);
    const first = await settings.change(TENANT, { patch: FULL, actor: 'a', ifRevision: null });
    await assert.rejects(
      settings.change(TENANT, { patch: FULL, actor: 'a', ifRevision: null }),
      refused(412),
    );
    const second = await settings.change(TENANT, { patch: {}, actor: 'a', ifRevision: first.revision });
    await assert.rejects(settings.remove(TENANT, { ifRevision: first.revision }), refused(412));
    assert.equal(await settings.remove(TENANT, { ifRevision: second.revision }), true);
    assert.equal(await settings.get(TENANT), null);
    const { has_api_key } = (await settings.change(TENANT, { patch: { base_url: 'http://b' }, actor: 'a' }))
      .values;
    assert.equal(has_api_key, false);
    await assert.rejects(
      settings.change(TENANT, { patch: {}, actor: 'a', ifRevision: second.revision }),
      refused(412),
    );
  });

  test('each owner and kind has its own, and a sealed secret opens in its own row alone', async (t) => {
    const { options, database } = await openRoom(t);
    const set = { patch: FULL, actor: 'a' };
    const ofTenant = createSettings(definitionOf('tenant'), options);
    const ofUser = createSettings(definitionOf('user'), options);
    const ofProject = createSettings(definitionOf('project'), options);
    const ofOtherKind = createSettings(definitionOf('tenant', 'other'), options);
    await ofTenant.change(TENANT, set);
    const empty = await Promise.all([
      ofTenant.get({ tenantId: 'two' }),
      ofUser.get({ tenantId: 'one', userId: 'one' }),
      ofProject.get({ tenantId: 'one', projectId: 'one' }),
      ofOtherKind.get(TENANT),
    ]);
    assert.deepEqual(empty, [null, null, null, null]);
    await ofTenant.change({ tenantId: 'two' }, set);
    await ofUser.change({ tenantId: 'one', userId: 'one' }, set);
    await ofProject.change({ tenantId: 'one', projectId: 'one' }, set);
    await ofOtherKind.change(TENANT, set);
    const movedEverywhere = (sealed: string) =>
      database.system.write((db: SettingsDb) => db.updateTable('settings').set({ sealed }).execute());
    const { sealed } = await database.system.read((db: SettingsDb) =>
      db
        .selectFrom('settings')
        .select('sealed')
        .where('tenant_id', '=', 'one')
        .where('scope', '=', 'tenant')
        .where('name', '=', 'assistant')
        .executeTakeFirstOrThrow(),
    );
    await movedEverywhere(sealed);
    assert.equal((await ofTenant.read(TENANT))?.secrets.api_key, KEY);
    await assert.rejects(ofTenant.read({ tenantId: 'two' }), refused(409));
    await assert.rejects(ofUser.read({ tenantId: 'one', userId: 'one' }), refused(409));
    await assert.rejects(ofProject.read({ tenantId: 'one', projectId: 'one' }), refused(409));
    await assert.rejects(ofOtherKind.read(TENANT), refused(409));
    const { api_key, token } = JSON.parse(sealed);
    await movedEverywhere(JSON.stringify({ api_key: token, token: api_key }));
    await assert.rejects(ofTenant.read(TENANT), refused(409));
  });

  test('under another ENCRYPTION_KEY settings are shown and changed, and a secret can be set again', async (t) => {
    const { options, otherKey } = await openRoom(t);
    await createSettings(definitionOf('tenant'), options).change(TENANT, { patch: FULL, actor: 'a' });
    const settings = createSettings(definitionOf('tenant'), otherKey);
    const { values } = await settings.change(TENANT, { patch: { base_url: 'http://b' }, actor: 'a' });
    assert.deepEqual([values.base_url, values.has_api_key], ['http://b', true]);
    await assert.rejects(settings.read(TENANT), /ENCRYPTION_KEY/);
    await settings.change(TENANT, { patch: { api_key: 'again', token: null }, actor: 'a' });
    assert.deepEqual((await settings.read(TENANT))?.secrets, { api_key: 'again' });
  });

  test('what a later definition does not know is neither shown nor in the way, and a change forgets it', async (t) => {
    const { options, database } = await openRoom(t);
    await createSettings(definitionOf('tenant'), options).change(TENANT, { patch: FULL, actor: 'a' });
    const later = defineSettings({
      ...{ name: 'assistant', scope: 'tenant', secrets: ['api_key'] },
      schema: Type.Object({ base_url: Type.String(), kind: Type.Optional(Type.String()) }),
    });
    const settings = createSettings(later, options);
    const shown = await settings.change(TENANT, { patch: { kind: 'x' }, actor: 'a' });
    assert.deepEqual(shown.values, { base_url: 'http://a', kind: 'x', has_api_key: true });
    const { json, sealed } = await database.system.read((db: SettingsDb) =>
      db.selectFrom('settings').select(['json', 'sealed']).executeTakeFirstOrThrow(),
    );
    assert.deepEqual(JSON.parse(json), { base_url: 'http://a', kind: 'x' });
    assert.deepEqual(Object.keys(JSON.parse(sealed)), ['api_key']);
    assert.deepEqual((await settings.read(TENANT))?.secrets, { api_key: KEY });
  });

  test('a tenant that is removed takes its settings along', async (t) => {
    const { options, database } = await openRoom(t);
    const settings = createSettings(definitionOf('project'), options);
    const owners = ['one', 'two'].map((tenantId) => ({ tenantId, projectId: 'default' }));
    for (const owner of owners) await settings.change(owner, { patch: FULL, actor: 'a' });
    await removeTenantRows(database, 'one');
    const left = await Promise.all(owners.map((owner) => settings.get(owner)));
    assert.deepEqual(
      left.map((each) => each === null),
      [true, false],
    );
  });
});

test('a secret that the schema would show is refused at once', () => {
  for (const field of ['api_key', 'has_api_key'])
    assert.throws(
      () =>
        defineSettings({
          ...{ name: 'a', scope: 'tenant', secrets: ['api_key'] },
          schema: Type.Object({ [field]: Type.String() }),
        }),
      /api_key/,
    );
});
