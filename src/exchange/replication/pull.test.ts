import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, hubOfSuite, liveOf, pathOf, pushed } from '../../../test/support/replication.ts';

forEachDatabase((_name, open) => {
  describe('pull', () => {
    const { core, replica } = hubOfSuite({ open });
    let made = 0;

    const newId = () => `person_${++made}`;
    const create = async (): Promise<string> => {
      const id = newId();
      await replica.push([pushed(id, characterText(id))]);
      return id;
    };
    const remove = (id: string) => core.call('DELETE', `/api/entity/character/${id}`);
    const save = (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body });
    const idsOf = (entities: { entity_id: string }[]) => entities.map(({ entity_id }) => entity_id);

    test('without a place everything is listed; from its cursor nothing, then only what changed', async () => {
      const [one, two] = [await create(), await create()];
      const first = await replica.pullAll();
      assert.equal(first.complete, true);
      assert.deepEqual(idsOf(first.entities).slice(-2), [one, two]);
      const nothing = await replica.pull(`cursor=${first.cursor}`);
      assert.deepEqual([nothing.entities, nothing.complete, nothing.has_more], [[], false, false]);
      await save(one, { fields: { age: 77 } });
      const next = await replica.pull(`cursor=${nothing.cursor}`);
      assert.deepEqual(
        liveOf(next.entities).map(({ entity_id, version, fields }) => [entity_id, version, fields.age]),
        [[one, 2, 77]],
      );
    });

    test('what changed several times is listed once, as it is now; what is gone is marked', async () => {
      const [kept, gone] = [await create(), await create()];
      const { cursor } = await replica.pullAll();
      for (const age of [1, 2, 3]) await save(kept, { fields: { age } });
      await remove(gone);
      const { entities } = await replica.pull(`cursor=${cursor}`);
      assert.deepEqual(
        entities.map((entity) => [entity.entity_id, 'deleted' in entity ? 'deleted' : entity.fields.age]),
        [
          [kept, 3],
          [gone, 'deleted'],
        ],
      );
    });

    test('pages: none left out and none twice, and what changes between them comes later', async () => {
      const ids = [await create(), await create(), await create(), await create()];
      const first = await replica.pull('limit=2');
      assert.deepEqual([first.has_more, first.listing, first.complete], [true, true, false]);
      const [early] = idsOf(first.entities);
      assert.ok(early);
      await save(early, { fields: { age: 55 } });
      const seen = [...first.entities];
      for (let page = first; page.has_more; ) {
        page = await replica.pull(`limit=2&cursor=${page.cursor}`);
        assert.deepEqual([page.listing, page.complete], [true, !page.has_more]);
        seen.push(...page.entities);
      }
      for (const id of ids) assert.equal(idsOf(seen).filter((other) => other === id).length, 1, id);
      assert.equal(liveOf(seen).findLast(({ entity_id }) => entity_id === early)?.fields.age, 55);
    });

    test('by a time of the caller’s own: what changed since and shortly before, and everything for one that is too long ago', async () => {
      const before = new Date().toISOString();
      const id = await create();
      const { entities, complete } = await replica.pull(`since=${before}`);
      assert.deepEqual([idsOf(entities).at(-1), complete], [id, false]);
      assert.equal((await replica.pull('since=2020-01-01T00:00:00Z')).complete, true);
      const { cursor } = await replica.pullAll();
      for (const query of ['since=yesterday', 'since=2026-02-30', `since=yesterday&cursor=${cursor}`])
        assert.equal((await core.call('GET', `/api/desktop/sync/pull?${query}`)).status, 422, query);
    });

    test('a cursor that nobody gave is 422; one of another database or of long ago lists everything', async () => {
      assert.equal((await core.call('GET', '/api/desktop/sync/pull?cursor=hello')).status, 422);
      const { cursor = '' } = await replica.pullAll();
      const [token, seq, at = ''] = cursor.split('-');
      assert.equal((await replica.pull(`cursor=1-${seq}-${at}`)).complete, true);
      const longAgo = Number(at) - 30 * 86_400_000;
      assert.equal((await replica.pull(`cursor=${token}-${seq}-${longAgo}`)).complete, true);
    });

    test('files that are no entities come with their text when they are asked for', async () => {
      const { cursor } = await replica.pullAll('files=true');
      const id = await create();
      replica.write('_Skills/namer.yml', 'name: Namer\n');
      replica.write('notes/raw.dat', Uint8Array.of(0xff, 0, 1));
      replica.write(`Characters/${id}/README.md`, 'Read me.\n');
      replica.write(`Characters/${id}/images/a.png`, Buffer.from('89504e470d0a1a0a', 'hex'));
      await core.call('POST', '/api/sync/refresh-all');
      const next = await replica.pullAll(`files=true&cursor=${cursor}`);
      const found = Object.fromEntries(next.files.map((file) => [file.path, file]));
      assert.ok(idsOf(next.entities).includes(id));
      assert.ok(!(pathOf(id) in found));
      const textOf = (path: string) => {
        const { [path]: file } = found;
        return file && 'content' in file ? [file.content, file.encoding] : [];
      };
      assert.deepEqual(textOf('_Skills/namer.yml'), ['name: Namer\n', 'utf8']);
      assert.deepEqual(textOf('notes/raw.dat'), [Buffer.from([0xff, 0, 1]).toString('base64'), 'base64']);
      assert.deepEqual(textOf(`Characters/${id}/README.md`), ['Read me.\n', 'utf8']);
      assert.deepEqual(textOf(`Characters/${id}/images/a.png`), []);
      assert.ok(`Characters/${id}/images/a.png` in found);
    });

    test('an entity that got another id is a new one, and the old one is gone', async () => {
      const id = await create();
      const { cursor } = await replica.pullAll();
      const to = newId();
      const body = { entity_type: 'character', old_id: id, new_id: to };
      assert.equal((await core.call('POST', '/api/rename-entity', { body })).status, 200);
      const { entities } = await replica.pull(`cursor=${cursor}`);
      assert.deepEqual(
        entities.map((entity) => [entity.entity_id, 'deleted' in entity]).sort(),
        [
          [id, true],
          [to, false],
        ].sort(),
      );
    });

    test('conflicts are told when they come and when they are resolved', async () => {
      const id = await create();
      await save(id, { fields: { age: 50 } });
      const { cursor } = await replica.pullAll();
      await replica.push([pushed(id, characterText(id, { age: 31 }), 2)]);
      const found = await replica.pull(`cursor=${cursor}`);
      const [conflict] = found.conflicts;
      assert.deepEqual(
        [conflict?.entity_id, conflict?.status, conflict?.local.fields.age, conflict?.remote.fields.age],
        [id, 'unresolved', 31, 50],
      );
      assert.deepEqual((await replica.pull(`cursor=${found.cursor}`)).conflicts, []);
      await core.call('POST', `/api/desktop/sync/conflicts/${conflict?.conflict_id}/resolve`, {
        body: { resolution: 'local' },
      });
      const settled = await replica.pull(`cursor=${found.cursor}`);
      assert.deepEqual(
        settled.conflicts.map(({ status, resolution }) => [status, resolution]),
        [['resolved', 'local']],
      );
      assert.equal(liveOf(settled.entities)[0]?.fields.age, 31);
      assert.deepEqual(
        (await replica.pullAll()).conflicts.filter(({ entity_id }) => entity_id === id),
        [],
      );
    });
  });
});
