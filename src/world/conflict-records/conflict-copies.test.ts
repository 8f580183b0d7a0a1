import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Conflict {
  conflict_id: string;
  entity_id: string;
  base: unknown;
  conflicting_fields: string[];
  copy_path: string | null;
}

const NAMES = [
  "CH_NAME (Bo's conflicted copy 2026-01-01).md",
  'CH_NAME.sync-conflict-20260101-120000-ABCDEFG.md',
  'CH_NAME (1).md',
];

forEachDatabase((_name, open) => {
  describe('copies of file-sync tools', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const folder = (id: string) => join(core.contentDir, 'Characters', id);
    const fileOf = (id: string) => join(folder(id), `CH_${id}.md`);
    const sync = () => core.call('POST', '/api/sync/refresh-all', { body: {} });
    const conflicts = async () =>
      (await core.call<{ conflicts: Conflict[] }>('GET', '/api/conflicts?limit=200')).body.conflicts;
    const of = async (id: string) => (await conflicts()).filter(({ entity_id }) => entity_id === id);
    const revision = (id: string, version: number) =>
      core.call<{ content: string }>('GET', `/api/entity/character/${id}/revisions/${version}`);

    /** An entity, and a copy beside it with another occupation. */
    async function withCopy(id: string, name: string): Promise<{ copy: string; text: string }> {
      const body = { entity_id: id, name: 'Mira', fields: { occupation: 'Sailor' }, markdown_body: 'One.\n' };
      assert.equal((await core.call('POST', '/api/entity/character', { body })).status, 201);
      const copy = join(folder(id), name.replace('NAME', id));
      const text = readFileSync(fileOf(id), 'utf8').replace('Sailor', 'Baker');
      writeFileSync(copy, text);
      assert.equal((await sync()).status, 200);
      return { copy, text };
    }

    for (const [index, name] of NAMES.entries()) {
      test(`${name} is the other side of a conflict, stays until it is resolved, and is kept`, async () => {
        const id = `person_${index}`;
        const { copy, text } = await withCopy(id, name);
        await sync();
        const [found, ...others] = await of(id);
        assert.ok(found);
        assert.equal(others.length, 0);
        assert.deepEqual([found.base, found.conflicting_fields], [null, ['occupation']]);
        assert.ok(existsSync(copy));
        assert.match(readFileSync(fileOf(id), 'utf8'), /Sailor/);
        const reply = await core.call('POST', `/api/conflicts/${found.conflict_id}/resolve`, {
          body: { resolution: 'local' },
        });
        assert.equal(reply.status, 200, reply.text);
        assert.equal(existsSync(copy), false);
        const kept = readdirSync(join(core.contentDir, '_RecycleBin/conflict_copies'));
        assert.ok(kept.some((file) => file.startsWith(found.conflict_id)));
        assert.equal((await revision(id, 2)).body.content, text);
        await sync();
        assert.equal((await of(id)).length, 0);
      });
    }

    test('kept copies go for good when the recycle bin is emptied', async () => {
      assert.equal((await core.call('DELETE', '/api/recycle-bin')).status, 200);
      assert.deepEqual(readdirSync(join(core.contentDir, '_RecycleBin/conflict_copies')), []);
    });

    test('a copy that comes back after its conflict was resolved goes to the bin again', async () => {
      const { copy, text } = await withCopy('returns', 'CH_NAME (1).md');
      const [found] = await of('returns');
      await core.call('POST', `/api/conflicts/${found?.conflict_id}/resolve`, {
        body: { resolution: 'remote' },
      });
      assert.match(readFileSync(fileOf('returns'), 'utf8'), /Baker/);
      writeFileSync(copy, text);
      await sync();
      assert.equal(existsSync(copy), false);
      assert.equal((await of('returns')).length, 0);
    });

    test('a copy that says nothing new, or is of something else, is no conflict', async () => {
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'alone', name: 'Alone' } });
      const text = readFileSync(fileOf('alone'), 'utf8');
      writeFileSync(join(folder('alone'), 'CH_alone (1).md'), text);
      writeFileSync(join(folder('alone'), 'CH_alone (2).md'), text.replace('id: alone', 'id: other'));
      writeFileSync(join(folder('alone'), 'Notes.md'), 'Just notes.\n');
      await sync();
      assert.equal((await of('alone')).length, 0);
      assert.ok(existsSync(join(folder('alone'), 'CH_alone (1).md')));
    });
  });
});
