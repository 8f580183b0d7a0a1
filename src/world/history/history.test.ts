import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { Step } from '../changesets/step.ts';
import { findEntityRow } from '../records/entity-rows.store.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { forgetHistory } from './forget-history.ts';
import { packHistory } from './pack-history.ts';

forEachDatabase((name, open) => {
  // Packing does not depend on the database.
  const edits = name === 'sqlite' ? 1000 : 250;

  describe('history', () => {
    let core: TestCore;
    let project: Project;
    before(async () => {
      core = await startCore({ open });
      [project] = core.projects.opened() as [Project];
    });
    after(() => core.close());

    const create = (entity_id: string, more: object = {}) =>
      core.call('POST', '/api/entity/character', { body: { entity_id, name: 'Mira', ...more } });
    const put = (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body });
    const revision = (id: string, version: number) =>
      core.call<{ content: string; file_checksum: string; markdown_body: string }>(
        'GET',
        `/api/entity/character/${id}/revisions/${version}`,
      );
    const now = async () => {
      const at = new Date().toISOString();
      while (new Date().toISOString() === at) await wait(1);
      return at;
    };

    /** Stored bytes of an entity's superseded versions. */
    const storedBytes = (rowId: number): Promise<number> =>
      project.database.read(async (db: RecordsDb) => {
        const row = await db
          .selectFrom('entity_revisions')
          .select(
            sql<number>`sum(length(content) + coalesce(length(packed), 0) + length(name) + length(checksum) + length(file_checksum)
              + length(changed) + length(created_at) + coalesce(length(path), 0) + 120)`.as('bytes'),
          )
          .where('row_id', '=', rowId)
          .executeTakeFirstOrThrow();
        return Number(row.bytes);
      });

    test(`${edits} edits of a 20 kB entity take less than 1 kB each, and every version reads as it was`, async () => {
      const lines = Array.from(
        { length: 260 },
        (_, line) =>
          `Line ${line} tells of day ${(line * 7919) % 1000} by the sea, and of the tide. ${(line * 104729).toString(36)}`,
      );
      await create('long', { markdown_body: lines.join('\n') });
      const bodies = [lines.join('\n')];
      for (let edit = 1; edit <= edits; edit += 1) {
        lines[(edit * 37) % lines.length] = `Edit ${edit} changed this line, ${(edit * 7919).toString(36)}.`;
        bodies.push(lines.join('\n'));
        const reply = await put('long', { markdown_body: lines.join('\n') });
        assert.equal(reply.status, 200, reply.text);
        if (edit % 250 === 0) assert.ok((await packHistory(project)) > 0);
      }
      assert.equal(await packHistory(project), 0);
      const row = await project.database.read((db: RecordsDb) =>
        findEntityRow(db, project, 'character', 'long'),
      );
      assert.ok(row && row.version === edits + 1);
      const bytes = await storedBytes(row.row_id);
      assert.ok(bytes < edits * 1024, `${bytes} bytes`);
      const last = row.version;
      for (const version of [
        1,
        2,
        31,
        32,
        33,
        34,
        65,
        last - 254,
        last - 253,
        last - 11,
        last - 4,
        last - 1,
        last,
      ]) {
        if (version < 1) continue;
        const { body } = await revision('long', version);
        assert.equal(body.markdown_body, bodies[version - 1], `version ${version}`);
        assert.equal(checksumOf(body.content), body.file_checksum);
      }
    });

    test('an old packed version is restored byte for byte', async () => {
      const { body } = await revision('long', 17);
      const reply = await core.call<{ file_checksum: string }>(
        'POST',
        '/api/entity/character/long/revisions/17/restore',
      );
      assert.equal(reply.body.file_checksum, body.file_checksum);
    });

    test('limits forget the oldest versions, not those that are needed, and the rest reads on', async () => {
      await create('short', { markdown_body: 'Version 1' });
      for (let version = 2; version <= 30; version += 1)
        await put('short', { markdown_body: `Version ${version}` });
      await packHistory(project);
      const row = await project.database.read((db: RecordsDb) =>
        findEntityRow(db, project, 'character', 'short'),
      );
      const options = { clock: systemClock, pinned: async () => new Map([[row?.row_id ?? 0, 8]]) };
      await forgetHistory(project, { versions: 0, days: 0 }, options);
      assert.equal((await revision('short', 1)).status, 200);
      await forgetHistory(project, { versions: 10, days: 1 }, options);
      assert.equal((await revision('short', 1)).status, 200, 'today’s versions are within a day');
      await forgetHistory(project, { versions: 10, days: 0 }, options);
      assert.equal((await revision('short', 7)).status, 404);
      assert.equal((await revision('short', 8)).body.markdown_body, 'Version 8');
      await forgetHistory(project, { versions: 10, days: 0 }, { ...options, pinned: async () => new Map() });
      assert.equal((await revision('short', 19)).status, 404);
      for (const version of [20, 25, 29, 30]) {
        assert.equal((await revision('short', version)).body.markdown_body, `Version ${version}`);
      }
    });

    test('what an operation needs to be undone is kept for a month, and nothing for what it made', async () => {
      const text = (age: number) => `---\nid: fixed\nname: Mira\nage: ${age}\n---\n\nLines.\n`;
      const author = { actor: 'ada', plan: 'enterprise' } as const;
      const common = { entity_type: 'character', entity_id: 'fixed' };
      const apply = (step: Step) =>
        core.changesets.apply(project, { kind: 'fix', label: 'Fix', author, source: 'api', steps: [step] });
      await apply({ ...common, kind: 'create', text: text(1) });
      await put('fixed', { fields: { age: 2 } });
      const { body } = await revision('fixed', 2);
      await apply({ ...common, kind: 'write', base: body.content, text: text(3) });
      for (let age = 4; age <= 9; age += 1) await put('fixed', { fields: { age } });
      const forget = (days: number) =>
        forgetHistory(
          project,
          { versions: 3, days: 0 },
          {
            clock: { now: () => Date.now() + days * 24 * 3_600_000 },
            pinned: core.changesets.neededVersions,
          },
        );
      const kept = async () =>
        Promise.all([1, 2, 3, 6, 7].map(async (version) => (await revision('fixed', version)).status));
      await forget(29);
      assert.deepEqual(await kept(), [404, 200, 200, 200, 200]);
      await forget(31);
      assert.deepEqual(await kept(), [404, 404, 404, 200, 200]);
    });

    test('a project is listed and read as it was at a time', async () => {
      await create('stays', { markdown_body: 'Old' });
      await create('goes', { markdown_body: 'Gone' });
      const then = await now();
      await put('stays', { name: 'Mira Vale', markdown_body: 'New' });
      await core.call('DELETE', '/api/entity/character/goes');
      await create('comes');
      const list = async (at: string, query = '') =>
        (
          await core.call<{
            total: number;
            entities: { entity_id: string; name: string; version: number }[];
          }>('GET', `/api/history?at=${at}&type=character${query}`)
        ).body;
      const past = await list(then);
      const ids = past.entities.map(({ entity_id }) => entity_id);
      assert.deepEqual(
        [ids.includes('stays'), ids.includes('goes'), ids.includes('comes')],
        [true, true, false],
      );
      assert.equal(past.total, past.entities.length);
      assert.deepEqual(
        past.entities
          .filter(({ entity_id }) => entity_id === 'stays')
          .map(({ name, version }) => [name, version]),
        [['Mira', 1]],
      );
      assert.equal((await list(then, '&limit=1&offset=1')).entities.length, 1);
      const present = (await list(await now())).entities.map(({ entity_id }) => entity_id);
      assert.deepEqual([present.includes('goes'), present.includes('comes')], [false, true]);
      assert.equal((await list('1999-01-01')).total, 0);
      const read = (id: string) =>
        core.call<{ markdown_body: string }>('GET', `/api/history/character/${id}?at=${then}`);
      assert.equal((await read('stays')).body.markdown_body, 'Old');
      assert.equal((await read('goes')).body.markdown_body, 'Gone');
      assert.equal((await read('comes')).status, 404);
      assert.equal((await core.call('GET', '/api/history?at=yesterday')).status, 422);
    });
  });
});
