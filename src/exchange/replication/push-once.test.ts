import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, hubOfSuite, liveOf, pushed } from '../../../test/support/replication.ts';
import { sha256Hex } from '../../kit/crypto.ts';

forEachDatabase((_name, open) => {
  describe('a push and its reply', () => {
    const { core, replica } = hubOfSuite({ open });
    let made = 0;

    const newId = () => `person_${++made}`;
    const save = (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body });
    const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

    test('the same Idempotency-Key gets the same reply; another body under it is refused', async () => {
      const id = newId();
      const body = { client_timestamp: '2026-01-01T00:00:00Z' };
      const first = await replica.push([pushed(id, characterText(id))], body, withKey('one'));
      await core.call('DELETE', `/api/entity/character/${id}`);
      const again = await replica.push([pushed(id, characterText(id))], body, withKey('one'));
      assert.deepEqual(again.body, first.body);
      assert.equal((await core.call('GET', `/api/entity/character/${id}`)).status, 404);
      const other = await replica.push([pushed(id, characterText(id, { age: 1 }))], body, withKey('one'));
      assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
      assert.equal((await replica.push([], body, withKey('x'.repeat(300)))).status, 422);
    });

    test('a client_timestamp that is no time is refused, and nothing is written', async () => {
      const id = newId();
      for (const client_timestamp of ['yesterday', '2026-02-30T10:00:00Z', '1772446560', '']) {
        const { status, body } = await replica.push([pushed(id, characterText(id))], { client_timestamp });
        assert.deepEqual([status, body.code], [422, 'invalid_client_timestamp'], client_timestamp);
      }
      assert.equal((await core.call('GET', `/api/entity/character/${id}`)).status, 404);
      const later = { client_timestamp: '2026-03-02T12:16:00.123456+02:00' };
      assert.equal((await replica.push([pushed(id, characterText(id))], later)).status, 200);
    });

    test('20 pushes at once under one key are one', async () => {
      const id = newId();
      const body = { client_timestamp: '2026-01-01T00:00:00Z' };
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => replica.push([pushed(id, characterText(id))], body, withKey('two'))),
      );
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal(replies[0]?.body.versions[`character/${id}`]?.version, 1);
    });

    test('whoever changed everything alone need not pull: the reply has the cursor', async () => {
      const [kept, gone] = [newId(), newId()];
      await replica.push([pushed(kept, characterText(kept)), pushed(gone, characterText(gone))]);
      const { cursor } = await replica.pullAll('files=true');
      const file = { path: 'alone.txt', content: 'x', base_sha256: null, sha256: sha256Hex('x') };
      const deletion = { entity_type: 'character', entity_id: gone, version: 2, deleted: true };
      const { body } = await replica.push([pushed(kept, characterText(kept, { age: 1 }), 2), deletion], {
        cursor,
        files: [file],
        force: true,
      });
      assert.ok(body.cursor, JSON.stringify(body));
      const { entities, files, has_more } = await replica.pull(`files=true&cursor=${body.cursor}`);
      assert.deepEqual([entities, files, has_more], [[], [], false]);
    });

    test('where somebody else did something, or something was merged, there is no cursor and the pull has it', async () => {
      const [mine, theirs] = [newId(), newId()];
      await replica.push([pushed(mine, characterText(mine)), pushed(theirs, characterText(theirs))]);
      const { cursor } = await replica.pullAll();
      await save(theirs, { fields: { age: 9 } });
      const next = await replica.push([pushed(mine, characterText(mine, { age: 1 }), 2)], { cursor });
      assert.equal(next.body.cursor, null);
      assert.deepEqual(
        liveOf((await replica.pull(`cursor=${cursor}`)).entities).map(({ entity_id }) => entity_id),
        [theirs, mine],
      );

      const later = (await replica.pullAll()).cursor;
      await save(mine, { fields: { occupation: 'Sailor' } });
      const merged = await replica.push([pushed(mine, characterText(mine, { age: 2 }), 3)], {
        cursor: later,
        auto_merge: true,
      });
      assert.deepEqual([merged.body.accepted.length, merged.body.cursor], [1, null]);
    });

    const resolutions = [
      ['local', { resolution: 'local' }, 31, 50],
      ['cloud', { resolution: 'cloud' }, 50, 31],
      ['remote', { resolution: 'remote' }, 50, 31],
      ['merged', { resolution: 'merged', fields: { age: 40 } }, 40, 31],
    ] as const;
    for (const route of ['/api/conflicts', '/api/desktop/sync/conflicts']) {
      for (const [name, body, wins, stays] of resolutions) {
        test(`a pushed conflict is resolved by ${route} as ${name}, and what lost is a version`, async () => {
          const id = newId();
          await replica.push([pushed(id, characterText(id))]);
          await save(id, { fields: { age: 50 } });
          const edit = pushed(id, characterText(id, { age: 31 }), 2);
          const { body: reply } = await replica.push([edit]);
          const conflictId = reply.conflicts[0]?.conflict_id;
          const resolved = await core.call('POST', `${route}/${conflictId}/resolve`, { body });
          assert.equal(resolved.status, 200, resolved.text);
          const shown = (resolved.body.conflict ?? resolved.body) as { status: string; resolution: string };
          const expected = name === 'cloud' ? 'remote' : name;
          assert.deepEqual([shown.status, shown.resolution], ['resolved', expected]);
          const { body: entity } = await core.call<{ version: number; fields: { age: number } }>(
            'GET',
            `/api/entity/character/${id}`,
          );
          assert.equal(entity.fields.age, wins);
          const ages = [];
          for (let version = 1; version < entity.version; version += 1) {
            const { body: old } = await core.call<{ fields: { age: number } }>(
              'GET',
              `/api/entity/character/${id}/revisions/${version}`,
            );
            ages.push(old.fields.age);
          }
          assert.ok(ages.includes(stays), JSON.stringify(ages));
          const late = await replica.push([edit]);
          assert.deepEqual([late.body.accepted.length, late.body.conflicts.length], [1, 0]);
          const twice = await core.call('POST', `${route}/${conflictId}/resolve`, { body });
          assert.equal(twice.status, 409);
        });
      }
    }
  });
});
