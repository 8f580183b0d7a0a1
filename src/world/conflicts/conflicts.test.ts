import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import { silentLog } from '../../kit/log.ts';
import { createConflictFiles } from '../conflict-records/conflict-files.ts';
import { createEntities } from '../entities/entities.service.ts';
import { createReferenceChecks } from '../entities/reference-checks.ts';
import { createResolve } from './resolve.service.ts';

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;

interface Side {
  version: number | null;
  fields: Record<string, unknown>;
  markdown_body: string;
}
interface Conflict {
  conflict_id: string;
  entity_id: string;
  status: string;
  resolution: string | null;
  conflicting_fields: string[];
  base: Side | null;
  local: Side;
  remote: Side;
}
interface Reply {
  version: number;
  fields: Record<string, unknown>;
  markdown_body: string;
  merged?: boolean;
  code: string;
  detail: string;
  conflict_id: string;
  conflict: Conflict;
  entity: { version: number; fields: Record<string, unknown>; markdown_body: string };
}

forEachDatabase((_name, open) => {
  describe('edits from an older version', () => {
    let core: TestCore;
    let made = 0;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const put = (id: string, body: object) =>
      core.call<Reply>('PUT', `/api/entity/character/${id}`, { body });
    const fileText = (id: string) =>
      readFileSync(join(core.contentDir, `Characters/${id}/CH_${id}.md`), 'utf8');
    const listed = async (status = 'unresolved') =>
      (await core.call<{ total: number; conflicts: Conflict[] }>('GET', `/api/conflicts?status=${status}`))
        .body;
    const resolve = (id: string, body: object) =>
      core.call<Reply>('POST', `/api/conflicts/${id}/resolve`, { body });
    const versionsOf = async (id: string) => {
      const { body } = await core.call<{ revisions: { version: number }[] }>(
        'GET',
        `/api/entity/character/${id}/revisions`,
      );
      return body.revisions.map(({ version }) => version);
    };
    const textOf = async (id: string, version: number) =>
      (await core.call<{ content: string }>('GET', `/api/entity/character/${id}/revisions/${version}`)).body
        .content;

    async function entity(): Promise<string> {
      made += 1;
      const body = {
        entity_id: `person_${made}`,
        name: 'Mira',
        fields: { occupation: 'Reader', age: 30 },
        markdown_body: 'One.\n\nTwo.\n',
      };
      const reply = await core.call('POST', '/api/entity/character', { body });
      assert.equal(reply.status, 201, reply.text);
      return body.entity_id;
    }

    /** Another user has changed the occupation since version 1. */
    async function overlapping(): Promise<{ id: string; conflictId: string }> {
      const id = await entity();
      await put(id, { fields: { occupation: 'Sailor' } });
      const reply = await put(id, { base_version: 1, fields: { occupation: 'Baker', age: 31 } });
      assert.equal(reply.status, 409, reply.text);
      return { id, conflictId: reply.body.conflict_id };
    }

    test('a list of long conflicts ends where it gets too long, and goes on behind that', async () => {
      const long = 'x'.repeat(1_500_000);
      for (const each of [1, 2]) {
        const id = await entity();
        await put(id, { markdown_body: long });
        await put(id, { fields: { age: 40 } });
        const reply = await put(id, { base_version: 2, fields: { age: 41 + each } });
        assert.equal(reply.status, 409, reply.text);
      }
      const page = (offset: number) =>
        core.call<{ total: number; conflicts: Conflict[] }>('GET', `/api/conflicts?offset=${offset}`);
      const [first, second] = [await page(0), await page(1)];
      assert.deepEqual([first.body.total, first.body.conflicts.length], [2, 1]);
      assert.equal(second.body.conflicts.length, 1);
      assert.notEqual(first.body.conflicts[0]?.conflict_id, second.body.conflicts[0]?.conflict_id);
      for (const { conflict_id } of [...first.body.conflicts, ...second.body.conflicts])
        await resolve(conflict_id, { resolution: 'local' });
    });

    test('are merged where nothing overlaps, and the reply says so', async () => {
      const id = await entity();
      await put(id, { fields: { occupation: 'Sailor' }, markdown_body: 'One!\n\nTwo.\n' });
      const reply = await put(id, {
        base_version: 1,
        fields: { age: 31 },
        markdown_body: 'One.\n\nTwo.\nThree.\n',
      });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual([reply.body.merged, reply.body.version], [true, 3]);
      assert.deepEqual([reply.body.fields.occupation, reply.body.fields.age], ['Sailor', 31]);
      assert.equal(reply.body.markdown_body, 'One!\n\nTwo.\nThree.\n');
      const next = await put(id, { base_version: 3, fields: { age: 32 } });
      assert.deepEqual([next.body.merged, next.body.version], [false, 4]);
    });

    test('from a version that is not kept are refused, with the version to start from', async () => {
      const id = await entity();
      const reply = await put(id, { base_version: 7, fields: { age: 31 } });
      assert.deepEqual([reply.status, reply.body.code], [409, 'unknown_base'], reply.text);
      assert.match(reply.body.detail, /again from version 1/);
    });

    test('change nothing where they overlap, and are kept as a conflict with both sides', async () => {
      const { id, conflictId } = await overlapping();
      const text = fileText(id);
      const again = await put(id, { base_version: 1, fields: { occupation: 'Baker', age: 31 } });
      assert.deepEqual(
        [again.status, again.body.code, again.body.conflict_id],
        [409, 'edit_conflict', conflictId],
      );
      assert.equal(fileText(id), text);
      const found = (await listed()).conflicts.find(({ conflict_id }) => conflict_id === conflictId);
      assert.deepEqual(found?.conflicting_fields, ['occupation']);
      assert.deepEqual(
        [found?.base, found?.local, found?.remote].map((side) => side?.fields.occupation),
        ['Reader', 'Sailor', 'Baker'],
      );
      assert.deepEqual([found?.base?.version, found?.local.version, found?.remote.version], [1, 2, null]);
    });

    test('resolved with local: the entity stays, the other side is a version before it', async () => {
      const { id, conflictId } = await overlapping();
      const reply = await resolve(conflictId, { resolution: 'local' });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.entity.fields.occupation, 'Sailor');
      assert.deepEqual([reply.body.conflict.status, reply.body.conflict.resolution], ['resolved', 'local']);
      assert.deepEqual(await versionsOf(id), [4, 3, 2, 1]);
      assert.match(await textOf(id, 3), /occupation: Baker/);
      assert.match(fileText(id), /occupation: Sailor/);
      const lost = { local: { version: 4 }, remote: { version: 3 } };
      const merge = await core.call<{ base_version: number }>('POST', '/api/entity/character/smart-merge', {
        body: { entity_id: id, ...lost },
      });
      assert.equal(merge.body.base_version, 3);
    });

    test('resolved with cloud: the side that came in is the newest version', async () => {
      const { id, conflictId } = await overlapping();
      const reply = await resolve(conflictId, { resolution: 'cloud' });
      assert.deepEqual([reply.body.entity.version, reply.body.entity.fields.occupation], [3, 'Baker']);
      assert.match(fileText(id), /occupation: Baker/);
      assert.match(await textOf(id, 2), /occupation: Sailor/);
    });

    test('resolved with merged: what overlaps must be said, the rest of both is taken', async () => {
      const { id, conflictId } = await overlapping();
      const without = await resolve(conflictId, { resolution: 'merged' });
      assert.equal(without.status, 422);
      assert.match(without.body.detail, /occupation/);
      const reply = await resolve(conflictId, { resolution: 'merged', fields: { occupation: 'Both' } });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual([reply.body.entity.fields.occupation, reply.body.entity.fields.age], ['Both', 31]);
      assert.match(await textOf(id, 3), /occupation: Baker/);
      assert.match(await textOf(id, 2), /occupation: Sailor/);
    });

    test('many at once resolve a conflict once', async () => {
      const { id, conflictId } = await overlapping();
      const replies = await Promise.all(
        ['local', 'remote', 'local', 'remote'].map((resolution) => resolve(conflictId, { resolution })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      assert.equal((await resolve(conflictId, { resolution: 'local' })).body.code, 'already_resolved');
      assert.ok((await versionsOf(id)).length <= 4);
      assert.ok((await listed('resolved')).conflicts.some(({ conflict_id }) => conflict_id === conflictId));
    });

    test('a conflict whose entity is deleted while it is being resolved says so, as one deleted before', async () => {
      const { id, conflictId } = await overlapping();
      const [project] = core.projects.opened();
      assert.ok(project);
      const { templates } = core;
      const checks = createReferenceChecks({ templates, log: silentLog });
      const entities = createEntities({ templates, clock: systemClock, checks });
      const resolving = createResolve({
        entities: {
          ...entities,
          // The last call before the entity is locked.
          async templateOf(...asked) {
            await core.call('DELETE', `/api/entity/character/${id}`);
            return entities.templateOf(...asked);
          },
        },
        files: createConflictFiles({ log: silentLog }),
        clock: systemClock,
      });
      await assert.rejects(resolving(project, conflictId, { resolution: 'local' }, AUTHOR), (error) => {
        assert.ok(error instanceof HttpError);
        assert.deepEqual([error.status, error.extras.code], [409, 'entity_deleted']);
        return true;
      });
    });

    test('a conflict of a deleted entity, or one that is not there, cannot be resolved', async () => {
      const { id, conflictId } = await overlapping();
      await core.call('DELETE', `/api/entity/character/${id}`);
      assert.equal((await resolve(conflictId, { resolution: 'local' })).body.code, 'entity_deleted');
      assert.equal((await resolve('nothing', { resolution: 'local' })).status, 404);
      const viewer = await core.registerViewer();
      const reply = await core.call('POST', `/api/conflicts/${conflictId}/resolve`, {
        token: viewer,
        body: { resolution: 'local' },
      });
      assert.equal(reply.status, 403);
    });
  });
});
