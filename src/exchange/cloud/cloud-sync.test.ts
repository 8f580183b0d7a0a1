import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { replicasOfSuite, treeOf } from '../../../test/support/installs.ts';
import { until } from '../../../test/support/until.ts';
import { SYNC_PAUSES } from '../sync/schedule.ts';
import type { CloudDb } from './cloud.tables.ts';

const file = (id: string) => `Characters/${id}/CH_${id}.md`;

interface Revisions {
  revisions: { version: number; source: string; created_by: string | null }[];
}

forEachDatabase((_name, open) => {
  describe('entities of two installations and a cloud', () => {
    const { hub, one, two, settle } = replicasOfSuite({ open });

    const create = async ({ core }: { core: TestCore }, id: string, body = 'One.\n\nTwo.\n\nThree.\n') => {
      const fields = { occupation: 'Sailor', age: 30 };
      const reply = await core.call('POST', '/api/entity/character', {
        body: { entity_id: id, name: id, fields, markdown_body: body },
      });
      assert.equal(reply.status, 201, reply.text);
    };
    const update = async ({ core }: { core: TestCore }, id: string, body: object) => {
      const reply = await core.call('PUT', `/api/entity/character/${id}`, { body });
      assert.equal(reply.status, 200, reply.text);
    };
    const remove = async ({ core }: { core: TestCore }, id: string) =>
      assert.equal((await core.call('DELETE', `/api/entity/character/${id}`)).status, 200);
    const textsOf = async ({ core }: { core: TestCore }, id: string): Promise<string[]> => {
      const base = `/api/entity/character/${id}/revisions`;
      const { revisions } = (await core.call<Revisions>('GET', base)).body;
      const replies = revisions.map(({ version }) =>
        core.call<{ content: string }>('GET', `${base}/${version}`),
      );
      return (await Promise.all(replies)).map(({ body }) => body.content);
    };
    test('what is made on one is on all, byte for byte, and a round without news is one request', async () => {
      await create(one, 'ada', 'Line.\r\n\r\nNo final newline');
      await create(two, 'bo');
      await settle();
      const revisions = await two.core.call<Revisions>('GET', '/api/entity/character/ada/revisions');
      assert.equal(revisions.body.revisions[0]?.source, 'sync');
    });

    test('what is changed in several places on both sides is merged', async () => {
      await update(one, 'bo', { fields: { occupation: 'Baker' } });
      await update(two, 'bo', { fields: { age: 31 }, markdown_body: 'One.\n\nTwo, changed.\n\nThree.\n' });
      await update({ core: hub }, 'bo', { status: 'active' });
      await settle();
      const text = one.read(file('bo'));
      for (const part of [/Baker/, /age: 31/, /Two, changed/, /status: active/]) assert.match(text, part);
      assert.equal((await one.core.cloudSync.conflicts(one.project)).length, 0);
    });

    test('what overlaps is a conflict: the cloud’s text is everywhere, the own one a revision, until it is resolved', async () => {
      await update(one, 'bo', { fields: { occupation: 'Miller' } });
      await update(two, 'bo', { fields: { occupation: 'Smith' } });
      await one.sync();
      const { conflicts } = await two.sync();
      assert.equal(conflicts, 1);
      await settle();
      assert.match(two.read(file('bo')), /Miller/);
      assert.ok((await textsOf(two, 'bo')).some((text) => text.includes('Smith')));
      const [found] = await two.core.cloudSync.conflicts(two.project);
      assert.deepEqual(found?.conflicting_fields, ['occupation']);
      assert.equal((await one.core.cloudSync.conflicts(one.project)).length, 1);
      const kept = `.canonry/conflicts/cloud-${found?.conflict_id}.json`;
      for (const side of ['Miller', 'Smith']) assert.ok(two.read(kept).includes(side), side);
      await two.project.database.write(async (db: CloudDb) => {
        await db.deleteFrom('cloud_sync_conflicts').execute();
      });
      await two.sync();
      assert.deepEqual(await two.core.cloudSync.conflicts(two.project), [found], 'read back from its file');

      await two.core.cloudSync.resolve(
        two.project,
        found?.conflict_id ?? '',
        { resolution: 'local' },
        { actor: 'me', plan: 'enterprise' },
      );
      assert.match(two.read(file('bo')), /Smith/);
      assert.equal((await two.core.cloudSync.conflicts(two.project)).length, 0);
      await two.sync();
      assert.throws(() => two.read(kept), 'resolved');
      await settle();
      assert.match(one.read(file('bo')), /Smith/);
      assert.equal((await one.core.cloudSync.conflicts(one.project)).length, 0);
      const { body } = await hub.call<{ total: number }>('GET', '/api/conflicts');
      assert.equal(body.total, 0);
    });

    test('a deletion is followed, an edit of what was deleted brings it back', async () => {
      for (const id of ['fay', 'gil', 'hal', 'ida', 'cy', 'di']) await create(one, id);
      await create(one, 'ed');
      await settle();
      await remove(one, 'cy');
      await remove(one, 'di');
      await update(two, 'di', { fields: { age: 44 } });
      await remove(two, 'ed');
      await update(one, 'ed', { fields: { age: 55 } });
      await settle();
      assert.deepEqual(
        ['cy', 'di', 'ed'].map((id) => one.tree().has(file(id))),
        [false, true, true],
      );
      assert.match(one.read(file('di')), /age: 44/);
      assert.match(two.read(file('ed')), /age: 55/);
    });

    test('a rename goes everywhere, with those who refer to it', async () => {
      await create(one, 'eve', 'Sister of [[character:bo]].\n');
      await settle();
      const reply = await one.core.call('POST', '/api/rename-entity', {
        body: { entity_type: 'character', old_id: 'bo', new_id: 'robert' },
      });
      assert.equal(reply.status, 200, reply.text);
      await settle();
      assert.ok(two.tree().has(file('robert')) && !two.tree().has(file('bo')));
      assert.match(two.read(file('eve')), /\[\[character:robert\]\]/);
    });

    test('edits of files go as well, and what is edited while a round is under way is not overwritten', async () => {
      await one.write(file('eve'), one.read(file('eve')).replace('Sister', 'Cousin'));
      await update({ core: hub }, 'eve', { fields: { age: 12 } });
      const round = two.sync();
      await two.write(file('eve'), two.read(file('eve')).replace('Sister of', 'Sister and friend of'));
      await round;
      await settle();
      const kept = await Promise.all([hub, one.core, two.core].map((core) => textsOf({ core }, 'eve')));
      const texts = [one.read(file('eve')), ...kept.flat()].join('\n');
      for (const part of [/Cousin/, /Sister and friend/, /age: 12/]) assert.match(texts, part);
      for (const { conflict_id } of await two.core.cloudSync.conflicts(two.project))
        await hub.call('POST', `/api/conflicts/${conflict_id}/resolve`, { body: { resolution: 'local' } });
      await settle();
    });

    test('deletions that are too many at once wait until they are confirmed, on either way', async () => {
      const ids = ['fay', 'gil', 'hal', 'ida', 'di', 'ed'];
      for (const id of ids) await remove(one, id);
      const { held } = await one.sync();
      assert.deepEqual([held?.where, held?.deletions], ['in_the_cloud', ids.length]);
      assert.ok(treeOf(hub.contentDir).has(file('fay')));
      const forced = await one.core.cloudSync.pushAll(one.project, { force: true });
      assert.deepEqual([forced.error, forced.deleted_in_cloud], [null, ids.length]);
      const far = await two.sync();
      assert.deepEqual([far.held?.where, far.held?.deletions], ['here', ids.length]);
      assert.ok(two.tree().has(file('fay')));
      const followed = await two.core.cloudSync.pullAll(two.project, { force: true });
      assert.deepEqual([followed.error, followed.deleted_here], [null, ids.length]);
      await settle();
    });

    test('what waits to be sent is sent soon, also where a pull alone comes in between', async () => {
      const { cloudSync } = one.core;
      await cloudSync.start(one.project);
      await until(async () => (await cloudSync.status(one.project)).state === 'waiting');
      await cloudSync.syncNow(one.project);
      cloudSync.hint(one.project);
      await cloudSync.pull(one.project);
      const { next_at } = await cloudSync.status(one.project);
      await cloudSync.stop(one.project);
      assert.ok(Date.parse(next_at ?? '') <= Date.now() + SYNC_PAUSES.hintMs, `${next_at}`);
    });
  });
});
