import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { invalid } from '../../kit/errors.ts';
import { silentLog } from '../../kit/log.ts';
import { createMarkdown } from '../mirror/markdown.service.ts';
import type { PlannedChange } from './before-hooks.ts';
import { createEntities } from './entities.service.ts';
import { editEntity } from './entity-edit.ts';
import { createReferenceChecks } from './reference-checks.ts';
import { createRevisions } from './revisions.service.ts';

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;
const PATH = 'Characters/hero/CH_hero.md';

forEachDatabase((_name, open) => {
  async function world() {
    const core = await startCore({ open, watch: false });
    const [project] = core.projects.opened();
    assert.ok(project);
    const checks = createReferenceChecks({ templates: core.templates, log: silentLog });
    const entities = createEntities({ templates: core.templates, clock: systemClock, checks });
    const { row } = await entities.create(
      project,
      'character',
      { entity_id: 'hero', name: 'Hero', markdown_body: 'One\n' },
      AUTHOR,
    );
    const text = async () => new TextDecoder().decode(await project.files.read(PATH));
    return { core, project, entities, row, text };
  }

  /** An editor that writes to the file once, just before a change is written. */
  const interloper =
    (append: string) =>
    (found: Awaited<ReturnType<typeof world>>): void => {
      let isDone = false;
      found.entities.before(async () => {
        if (isDone) return null;
        isDone = true;
        await found.project.files.write(PATH, `${await found.text()}${append}`);
        return null;
      });
    };

  test('a version is restored over an edit that comes in between, and the edit is a version', async () => {
    const found = await world();
    const { core, project, entities, row } = found;
    try {
      const original = await found.text();
      await entities.update(project, 'character', 'hero', { name: 'Heroine' }, AUTHOR);
      interloper('Two\n')(found);
      const revisions = createRevisions({ entities, nameOf: async () => null });
      const restored = await revisions.restore(project, 'character', 'hero', row.version, AUTHOR);
      assert.equal(await found.text(), original);
      const before = await revisions.get(project, 'character', 'hero', restored.version - 1);
      assert.match(before.content, /Two\n$/);
    } finally {
      await core.close();
    }
  });

  test('a version that is not kept is refused before anything is taken in', async () => {
    const { core, project, entities, row, text } = await world();
    try {
      const revisions = createRevisions({ entities, nameOf: async () => null });
      for (const outside of [`${await text()}Two\n`, '---\nid: [hero\n---\n']) {
        await project.files.write(PATH, outside);
        const restored = revisions.restore(project, 'character', 'hero', row.version + 9, AUTHOR);
        await assert.rejects(restored, { status: 404 });
        assert.equal((await entities.findRow(project, 'character', 'hero')).version, row.version);
        assert.equal((await revisions.list(project, 'character', 'hero', 10, 0)).total, 1);
        assert.equal(await text(), outside);
      }
    } finally {
      await core.close();
    }
  });

  test('markdown is saved over an edit that comes in between', async () => {
    const found = await world();
    const { core, project, entities } = found;
    try {
      const original = await found.text();
      await project.files.write(PATH, `${original}From outside\n`);
      interloper('Two\n')(found);
      const markdown = createMarkdown({ mirror: core.mirror, entities });
      const request = { overwrite: true, actor: 'ada' };
      const { written } = await markdown.save(project, 'character', 'hero', request);
      assert.equal(written, true);
      assert.equal(await found.text(), original);
    } finally {
      await core.close();
    }
  });

  test('who looks at changes beforehand sees them and may refuse: nothing is written then', async () => {
    const { core, project, entities, row, text } = await world();
    try {
      const original = await text();
      const seen: PlannedChange[] = [];
      entities.before(async (_project, change) => {
        seen.push(change);
        throw invalid('No heroes here', { code: 'no_heroes' });
      });
      const update = entities.update(project, 'character', 'hero', { name: 'Heroine' }, AUTHOR);
      await assert.rejects(update, /No heroes here/);
      const create = entities.create(project, 'character', { entity_id: 'other', name: 'Other' }, AUTHOR);
      await assert.rejects(create, /No heroes here/);
      assert.deepEqual(
        seen.map(({ entity_id, row: present, document, actor, source }) => [
          entity_id,
          present?.version ?? null,
          document.data.name,
          actor,
          source,
        ]),
        [
          ['hero', row.version, 'Heroine', 'ada', 'api'],
          ['other', null, 'Other', 'ada', 'api'],
        ],
      );
      assert.equal(await text(), original);
      assert.equal((await entities.findRow(project, 'character', 'hero')).version, row.version);
      assert.equal(await project.files.stat('Characters/other/CH_other.md'), undefined);
    } finally {
      await core.close();
    }
  });

  test('a hook may replace what a save writes, and the history names the plugin', async () => {
    const { core, project, entities } = await world();
    try {
      entities.before(async (_project, { document, template }) => {
        if (document.data.name !== 'Shouting') return null;
        const { document: next, changed } = editEntity(
          template,
          document,
          { name: 'SHOUTING' },
          '2026-01-01',
        );
        return { document: next, changed, via: 'shouter' };
      });
      const { row } = await entities.update(project, 'character', 'hero', { name: 'Shouting' }, AUTHOR);
      assert.equal(row.name, 'SHOUTING');
      const revisions = createRevisions({ entities, nameOf: async () => null });
      const [newest, first] = (await revisions.list(project, 'character', 'hero', 10, 0)).revisions;
      assert.deepEqual([newest?.via, first?.via], [['shouter'], []]);
      await core.call('PUT', '/api/entity/character/hero?via=sheet', { body: { name: 'Shouting' } });
      const again = await revisions.list(project, 'character', 'hero', 10, 0);
      assert.deepEqual(
        again.revisions.map(({ via }) => via),
        [['sheet'], ['shouter'], []],
      );
      await revisions.restore(project, 'character', 'hero', first?.version ?? 0, AUTHOR);
      assert.deepEqual((await revisions.list(project, 'character', 'hero', 1, 0)).revisions[0]?.via, []);
    } finally {
      await core.close();
    }
  });
});
