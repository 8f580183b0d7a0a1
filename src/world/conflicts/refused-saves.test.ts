import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { characterText, pushed, replicaOf } from '../../../test/support/replication.ts';
import { checksumOf } from '../../kit/crypto.ts';

interface Side {
  version: number | null;
  fields: Record<string, unknown>;
  markdown_body: string;
}
interface Conflict {
  conflict_id: string | null;
  entity_id: string;
  resolution: string | null;
  conflicting_fields: string[];
  base: Side;
  local: Side;
  remote: Side;
}
interface Reply {
  version: number;
  fields: Record<string, unknown>;
  markdown_body: string;
  code: string;
  detail: string;
  conflict_id: string | null;
  conflict: Conflict;
  overlaps: object[];
}

forEachDatabase((_name, open) => {
  describe('saves that are refused because they overlap', () => {
    let core: TestCore;
    let other = '';
    let made = 0;
    before(async () => {
      core = await startCore({ open });
      const email = 'bo@example.com';
      other = await core.registerViewer(email);
      const me = await core.call<{ user_id: string }>('GET', '/api/auth/me', { token: other });
      const made = await core.call('PUT', `/api/users/${me.body.user_id}`, { body: { role: 'editor' } });
      assert.equal(made.status, 200, made.text);
    });
    after(() => core.close());

    const put = (id: string, body: object, token = core.adminToken) =>
      core.call<Reply>('PUT', `/api/entity/character/${id}`, { body, token });
    const conflictsOf = async (id: string, status = 'unresolved') => {
      const { body } = await core.call<{ conflicts: Conflict[] }>('GET', `/api/conflicts?status=${status}`);
      return body.conflicts.filter(({ entity_id }) => entity_id === id);
    };
    const openFolders = () => {
      const folder = join(core.contentDir, '.canonry/conflicts');
      return existsSync(folder) ? readdirSync(folder) : [];
    };

    /** Somebody else has changed occupation and first line; the entity is at version 2. */
    async function changedByOther(): Promise<string> {
      made += 1;
      const entity_id = `person_${made}`;
      const body = {
        entity_id,
        name: 'Mira',
        fields: { occupation: 'Reader', age: 30 },
        markdown_body: 'One.\n\nTwo.\n',
      };
      assert.equal((await core.call('POST', '/api/entity/character', { body })).status, 201);
      const theirs = { fields: { occupation: 'Sailor' }, markdown_body: 'One!\n\nTwo.\n' };
      assert.equal((await put(entity_id, theirs, other)).body.version, 2);
      return entity_id;
    }

    const report = { base_version: 1, on_conflict: 'report' };

    test('are reported with all that a merge needs, and leave neither record nor file', async () => {
      const id = await changedByOther();
      for (let attempt = 1; attempt <= 50; attempt += 1) {
        const body = {
          ...report,
          fields: { occupation: `Baker ${attempt}` },
          markdown_body: 'One?\n\nTwo.\n',
        };
        const reply = await put(id, body);
        assert.deepEqual([reply.status, reply.body.code], [409, 'edit_conflict'], reply.text);
      }
      const mine = { fields: { occupation: 'Baker', age: 31 }, markdown_body: 'One?\n\nTwo.\n' };
      const { body } = await put(id, { ...report, ...mine });
      assert.deepEqual([body.conflict_id, body.conflict.conflict_id], [null, null]);
      assert.match(body.detail, /again from version 2$/);
      const { base, local, remote, conflicting_fields } = body.conflict;
      assert.deepEqual(
        [base, local, remote].map(({ version, fields, markdown_body }) => [
          version,
          fields.occupation,
          fields.age,
          markdown_body,
        ]),
        [
          [1, 'Reader', 30, 'One.\n\nTwo.\n'],
          [2, 'Sailor', 30, 'One!\n\nTwo.\n'],
          [null, 'Baker', 31, 'One?\n\nTwo.\n'],
        ],
      );
      assert.deepEqual(conflicting_fields, ['occupation', 'markdown_body']);
      assert.deepEqual(body.overlaps, [
        { field: 'occupation', base: 'Reader', local: 'Sailor', remote: 'Baker' },
        { field: 'markdown_body', line: 1, base: 'One.', local: 'One!', remote: 'One?' },
      ]);
      assert.deepEqual([await conflictsOf(id, 'all'), openFolders()], [[], []]);
    });

    test('by report at the same time: one is saved, the other learns of it, and a save from there wins', async () => {
      const id = await changedByOther();
      const saves = ['Baker', 'Miller'].map((occupation) =>
        put(id, { base_version: 2, on_conflict: 'report', fields: { occupation } }),
      );
      const replies = await Promise.all(saves);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      const refused = replies.find(({ status }) => status === 409) ?? assert.fail();
      const version = refused.body.conflict.local.version;
      assert.equal(version, 3);
      const again = { base_version: version, on_conflict: 'report', fields: { occupation: 'Both' } };
      assert.deepEqual([(await put(id, again)).body.version, await conflictsOf(id, 'all')], [4, []]);
    });

    test('need a base version to report about', async () => {
      const id = await changedByOther();
      const reply = await put(id, { on_conflict: 'report', fields: { age: 31 } });
      assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_on_conflict'], reply.text);
      const unknown = await put(id, { base_version: 1, on_conflict: 'drop', fields: { age: 31 } });
      assert.equal(unknown.status, 422);
    });

    test('and kept are resolved by the same user’s later save of what overlapped', async () => {
      const id = await changedByOther();
      for (const occupation of ['Baker', 'Bakers', 'Bakery'])
        assert.equal((await put(id, { base_version: 1, fields: { occupation } })).status, 409);
      assert.deepEqual([(await conflictsOf(id)).length, openFolders().length], [3, 3]);
      await put(id, { base_version: 2, fields: { age: 32 } });
      assert.equal((await conflictsOf(id)).length, 3, 'a save of something else decides nothing');
      await put(id, { base_version: 3, fields: { occupation: 'Bakery' } }, other);
      assert.equal((await conflictsOf(id)).length, 3, 'another user’s save decides nothing');
      const decided = await put(id, { base_version: 4, fields: { occupation: 'Bakery' } });
      assert.deepEqual([decided.status, decided.body.version], [200, 4], 'nothing is left to change');
      assert.deepEqual([await conflictsOf(id), openFolders()], [[], []]);
      const resolved = await conflictsOf(id, 'resolved');
      assert.deepEqual(
        resolved.map(({ resolution, remote }) => [resolution, remote.fields.occupation]).sort(),
        [
          ['merged', 'Baker'],
          ['merged', 'Bakers'],
          ['merged', 'Bakery'],
        ],
      );
    });

    test('and kept stay open while only a part of what overlapped is saved', async () => {
      const id = await changedByOther();
      const mine = { fields: { occupation: 'Baker' }, markdown_body: 'One?\n\nTwo.\n' };
      assert.equal((await put(id, { base_version: 1, ...mine })).status, 409);
      assert.equal((await put(id, { base_version: 2, fields: mine.fields })).status, 200);
      assert.equal((await conflictsOf(id)).length, 1);
      assert.equal((await put(id, { base_version: 3, ...mine })).status, 200);
      assert.equal((await conflictsOf(id)).length, 0);
    });

    test('and kept stay open after a save from before the version that stood against them', async () => {
      const id = await changedByOther();
      await put(id, { fields: { age: 40 } }, other);
      assert.equal((await put(id, { base_version: 1, fields: { occupation: 'Baker' } })).status, 409);
      assert.equal((await put(id, { base_version: 2, fields: { occupation: 'Bakery' } })).status, 200);
      assert.equal((await conflictsOf(id)).length, 1);
      assert.equal((await put(id, { base_version: 4, fields: { occupation: 'Baker' } })).status, 200);
      assert.equal((await conflictsOf(id)).length, 0);
    });

    test('and pushed by the user’s own install stay open', async () => {
      const replica = replicaOf(core);
      const id = 'pushed';
      const first = characterText(id);
      assert.equal((await replica.push([pushed(id, first)])).body.accepted.length, 1);
      assert.equal((await put(id, { fields: { age: 31 } }, other)).status, 200);
      const based = { base_checksum: checksumOf(first) };
      const refused = await replica.push([pushed(id, characterText(id, { age: 32 }), 2, based)]);
      assert.equal(refused.body.conflicts.length, 1, refused.text);
      assert.equal((await put(id, { base_version: 2, fields: { age: 33 } })).status, 200);
      assert.equal((await conflictsOf(id)).length, 1);
    });

    test('of another user stay open', async () => {
      const id = await changedByOther();
      assert.equal((await put(id, { base_version: 1, fields: { occupation: 'Baker' } }, other)).status, 409);
      assert.equal((await put(id, { base_version: 2, fields: { occupation: 'Baker' } })).status, 200);
      assert.equal((await conflictsOf(id)).length, 1);
    });
  });
});
