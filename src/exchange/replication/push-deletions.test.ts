import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, hubOfSuite, pathOf, pushed, replicaOf } from '../../../test/support/replication.ts';

forEachDatabase((_name, open) => {
  describe('pushed deletions', () => {
    const { core, replica } = hubOfSuite({ open });
    let made = 0;
    before(async () => {
      // Enough that deleting two or three is not a mass deletion.
      const ids = Array.from({ length: 12 }, (_, n) => `bystander_${n}`);
      await replica.push(ids.map((id) => pushed(id, characterText(id))));
    });

    const create = async (): Promise<string> => {
      const id = `person_${++made}`;
      await replica.push([pushed(id, characterText(id))]);
      return id;
    };
    const save = (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body });
    const get = (id: string) =>
      core.call<{ version: number; fields: { age: number } }>('GET', `/api/entity/character/${id}`);
    const deletion = (id: string, version: number) => ({
      entity_type: 'character',
      entity_id: id,
      version,
      deleted: true,
    });

    test('an entity goes to the recycle bin; saying so again changes nothing', async () => {
      const id = await create();
      for (const _ of [1, 2]) {
        const { body } = await replica.push([deletion(id, 2)]);
        assert.deepEqual([body.accepted, body.versions], [[`character/${id}`], {}]);
      }
      assert.equal((await get(id)).status, 404);
      const bin = await core.call<{ items: { entity_id: string }[] }>('GET', '/api/recycle-bin');
      assert.equal(bin.body.items.filter(({ entity_id }) => entity_id === id).length, 1);
    });

    test('an edit beats it: what was changed since stays, by the API and in the folder', async () => {
      const [saved, edited] = [await create(), await create()];
      await save(saved, { fields: { age: 50 } });
      replica.write(pathOf(edited), characterText(edited, { age: 51 }));
      const { body } = await replica.push([deletion(saved, 2), deletion(edited, 2)]);
      assert.deepEqual(
        body.rejected.map(({ code }) => code),
        ['changed', 'changed'],
      );
      assert.deepEqual([(await get(saved)).body.fields.age, (await get(edited)).body.fields.age], [50, 51]);
    });

    test('an edit of what was deleted here brings it back, with its history and what lay beside it', async () => {
      const id = await create();
      replica.write(`Characters/${id}/data/notes.md`, 'Notes.\n');
      await core.call('DELETE', `/api/entity/character/${id}`);
      const { body } = await replica.push([pushed(id, characterText(id, { age: 31 }), 2)]);
      assert.deepEqual(body.accepted, [`character/${id}`], JSON.stringify(body));
      assert.equal((await get(id)).body.fields.age, 31);
      assert.equal(replica.read(`Characters/${id}/data/notes.md`), 'Notes.\n');
      const { body: history } = await core.call<{ revisions: { version: number }[] }>(
        'GET',
        `/api/entity/character/${id}/revisions`,
      );
      assert.deepEqual(
        history.revisions.map(({ version }) => version),
        [3, 2, 1],
      );
    });

    test('a text that was seen by whoever deleted it does not come back', async () => {
      const id = await create();
      const second = pushed(id, characterText(id, { age: 31 }), 2);
      await replica.push([second]);
      await core.call('DELETE', `/api/entity/character/${id}`);
      for (const again of [pushed(id, characterText(id)), second]) {
        const { body } = await replica.push([again]);
        assert.equal(body.rejected[0]?.code, 'deleted');
      }
      assert.equal((await get(id)).status, 404);
    });

    test('an edit that is refused leaves what was deleted where it is', async () => {
      const id = await create();
      await core.call('DELETE', `/api/entity/character/${id}`);
      const isInBin = async () => {
        const bin = await core.call<{ items: { entity_id: string }[] }>('GET', '/api/recycle-bin');
        return bin.body.items.some(({ entity_id }) => entity_id === id);
      };
      const text = characterText(id, { age: 80 });
      const refused: [string, object][] = [
        ['checksum_mismatch', pushed(id, text, 2, { checksum: `sha256:${'0'.repeat(64)}` })],
        ['id_mismatch', pushed(id, characterText('somebody_else'), 2)],
        ['duplicate_key', pushed(id, text.replace('age: 80', 'age: 80\nage: 81'), 2)],
        ['refused', pushed(id, characterText(id, { body: 'x'.repeat(11 * 1024 * 1024) }), 2)],
        ['invalid_fields', { entity_type: 'character', entity_id: id, version: 2, fields: { id: 'other' } }],
      ];
      for (const [code, edit] of refused) {
        const { body } = await replica.push([edit]);
        assert.deepEqual(
          body.rejected.map((each) => each.code),
          [code],
        );
        assert.deepEqual([(await get(id)).status, await isInBin()], [404, true], code);
      }
      await replica.push([pushed(id, text, 2)]);
      assert.deepEqual([(await get(id)).body.fields.age, await isInBin()], [80, false]);
    });

    test('deleted and made anew within one push: a life of its own', async () => {
      const id = await create();
      const text = characterText(id, { age: 5 });
      const { body } = await replica.push([deletion(id, 2), pushed(id, text)]);
      assert.deepEqual(body.rejected, []);
      assert.equal(body.versions[`character/${id}`]?.version, 1);
      assert.equal(replica.read(pathOf(id)), text);
    });

    test('too many deletions at once do nothing until they are forced', async () => {
      const small = await startCore({ open });
      after(() => small.close());
      const { push, pullAll } = replicaOf(small);
      const ids = Array.from({ length: 10 }, (_, n) => `person_${n}`);
      await push(ids.map((id) => pushed(id, characterText(id))));
      const doomed = ids.slice(0, 4).map((id) => deletion(id, 2));
      const stopped = await push([...doomed, pushed('other', characterText('other'))]);
      assert.deepEqual([stopped.status, stopped.body.code], [409, 'brake']);
      assert.match(stopped.body.detail, /4 of 10/);
      assert.equal((await pullAll()).entities.length, 10);
      assert.equal((await push(doomed.slice(0, 3))).body.accepted.length, 3);
      const forced = await push(doomed, { force: true });
      assert.equal(forced.body.accepted.length, 4);
      const { entities } = await pullAll();
      assert.equal(entities.filter((entity) => 'content' in entity).length, 6);
    });

    test('deletions that are pushed one after another add up over a minute, each of them once', async () => {
      let now = Date.now();
      const small = await startCore({ open, clock: { now: () => now } });
      after(() => small.close());
      const { push } = replicaOf(small);
      const ids = Array.from({ length: 36 }, (_, n) => `person_${n}`);
      await push(ids.map((id) => pushed(id, characterText(id))));
      const statusOf = async (id: string) => (await push([deletion(id, 2)])).status;
      const replies = [];
      for (const id of ids.slice(0, 11)) replies.push(await statusOf(id), await statusOf(id));
      assert.deepEqual(replies, [...Array.from({ length: 20 }, () => 200), 409, 409]);
      now += 61_000;
      assert.equal(await statusOf('person_10'), 200);
    });
  });
});
