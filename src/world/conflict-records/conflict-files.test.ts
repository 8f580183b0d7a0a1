import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';

interface Conflict {
  conflict_id: string;
  entity_id: string;
  detected_at: string;
  conflicting_fields: string[];
  base: { version: number; fields: Record<string, unknown> } | null;
  local: { version: number; fields: Record<string, unknown> };
  remote: { version: number | null; fields: Record<string, unknown> };
}

const CHARACTERS = '/api/entity/character';

const conflictsOf = async (core: TestCore, status = 'unresolved'): Promise<Conflict[]> =>
  (await core.call<{ conflicts: Conflict[] }>('GET', `/api/conflicts?status=${status}`)).body.conflicts;

/** Two edits of one field from one version; the later one is kept as a conflict. */
async function makeConflict(core: TestCore, id: string): Promise<Conflict> {
  const put = (body: object) => core.call('PUT', `${CHARACTERS}/${id}`, { body });
  await core.call('POST', CHARACTERS, { body: { entity_id: id, name: id, fields: { species: 'human' } } });
  await put({ fields: { species: 'selkie' } });
  assert.equal((await put({ base_version: 1, fields: { species: 'ghost' } })).status, 409);
  const found = (await conflictsOf(core)).find(({ entity_id }) => entity_id === id);
  return found ?? assert.fail('no conflict');
}

const folderOf = (core: { contentDir: string }, { conflict_id }: Conflict): string =>
  join(core.contentDir, '.canonry/conflicts', conflict_id);
const sync = (core: TestCore) => core.call('POST', '/api/entity/sync/all');

forEachDatabase((_name, open) => {
  test('both texts of a conflict lie in files until it is resolved, and are no content', async (t) => {
    const core = await startCore({ open });
    t.after(core.close);
    const conflict = await makeConflict(core, 'mira');
    const folder = folderOf(core, conflict);
    assert.deepEqual(readdirSync(folder).sort(), ['about.json', 'base.md', 'local.md', 'remote.md']);
    const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
    assert.equal(
      textOf('local.md'),
      readFileSync(join(core.contentDir, 'Characters/mira/CH_mira.md'), 'utf8'),
    );
    assert.match(textOf('remote.md'), /^species: ghost$/m);
    assert.match(textOf('base.md'), /^species: human$/m);
    const { body } = await sync(core);
    assert.deepEqual([body.created, body.updated, body.invalid_total, body.unknown_folders], [0, 0, 0, []]);
    const resolved = await core.call('POST', `/api/conflicts/${conflict.conflict_id}/resolve`, {
      body: { resolution: 'remote' },
    });
    assert.equal(resolved.status, 200, resolved.text);
    assert.equal(existsSync(folder), false);
  });

  test('a conflict outlives its database, and is resolved then like any other', async (t) => {
    const first = await startCore({ open });
    t.after(first.close);
    const conflict = await makeConflict(first, 'mira');
    const gone = await makeConflict(first, 'gone');
    const damaged = await makeConflict(first, 'damaged');
    rmSync(join(first.contentDir, 'Characters/gone'), { recursive: true });
    writeFileSync(join(folderOf(first, damaged), 'about.json'), '{"entity_type": "char');

    const second = await startCore({ open, contentDir: first.contentDir });
    t.after(second.close);
    const isTold = ({ conflict_id }: Conflict) => second.warnings.some((line) => line.includes(conflict_id));
    await until(async () => (await conflictsOf(second)).length > 0 && isTold(gone) && isTold(damaged));
    const [back, ...others] = await conflictsOf(second);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [back?.conflict_id, back?.detected_at, back?.conflicting_fields],
      [conflict.conflict_id, conflict.detected_at, conflict.conflicting_fields],
    );
    assert.deepEqual(
      [back?.base?.fields.species, back?.local.fields.species, back?.remote.fields.species],
      ['human', 'selkie', 'ghost'],
    );
    for (const left of [gone, damaged]) assert.ok(existsSync(folderOf(first, left)));
    const resolved = await second.call<{ entity: { fields: Record<string, unknown> } }>(
      'POST',
      `/api/conflicts/${conflict.conflict_id}/resolve`,
      { body: { resolution: 'remote' } },
    );
    assert.equal(resolved.status, 200, resolved.text);
    assert.equal(existsSync(folderOf(first, conflict)), false);
    await sync(second);
    assert.deepEqual(await conflictsOf(second), []);
  });

  test('files that are missing are written, and those of a resolved conflict go, with the next full sync', async (t) => {
    const core = await startCore({ open });
    t.after(core.close);
    const conflict = await makeConflict(core, 'mira');
    const other = await makeConflict(core, 'tam');
    const folder = folderOf(core, conflict);
    const about = readFileSync(join(folder, 'about.json'), 'utf8');
    rmSync(folder, { recursive: true });
    await sync(core);
    await until(() => existsSync(join(folder, 'about.json')));
    assert.equal(readFileSync(join(folder, 'about.json'), 'utf8'), about);
    await core.call('POST', `/api/conflicts/${conflict.conflict_id}/resolve`, {
      body: { resolution: 'local' },
    });
    const file = await core.projects
      .opened()[0]
      ?.files.write(`.canonry/conflicts/${conflict.conflict_id}/about.json`, about);
    assert.ok(file);
    await sync(core);
    await until(() => !existsSync(folder));
    assert.deepEqual(await conflictsOf(core), [other]);
  });
});
