import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { isoTime, systemClock } from '../../kit/clock.ts';
import { createLocalScanner } from '../../platform/files/adapters/local-scanner.ts';
import { findFiles } from '../records/files.store.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { lastSequence } from '../records/sequence.store.ts';
import { readContent } from '../scan/read-content.ts';
import { type ImportItem, VERIFY_AGAIN } from '../texts/read-file.ts';
import { importFiles } from './import.service.ts';

const PATH = 'Characters/hero/CH_hero.md';

forEachDatabase((_name, open) => {
  describe('what was read before somebody else changed it', () => {
    let core: TestCore;
    let project: Project;
    /** The state after a sync has read this much. */
    let read: { items: ImportItem[]; seenSeq: number };

    beforeEach(async () => {
      core = await startCore({ open });
      const [opened] = core.projects.opened();
      assert.ok(opened);
      project = opened;
      await core.mirror.whenSettled(project);
      await core.call('POST', '/api/entity/character', { body: { entity_id: 'hero', name: 'Hero' } });
      const seenSeq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
      const items = await readItems([PATH]);
      assert.deepEqual(
        items.map(({ record }) => record.path),
        [PATH],
      );
      read = { items, seenSeq };
    });
    afterEach(() => core.close());

    async function readItems(under: readonly string[]): Promise<ImportItem[]> {
      const set = await core.templates.of(project);
      const scanner = createLocalScanner({ root: core.contentDir });
      return [...readContent({ scanner, set, largestText: project.largestText, under })].flat();
    }

    const goOn = () =>
      importFiles(project, read.items, {
        now: () => isoTime(systemClock.now()),
        source: 'file',
        seenSeq: read.seenSeq,
        rerender: false,
        resolvesIds: false,
        gone: new Set(),
      });
    const get = () => core.call<{ name: string; version: number }>('GET', '/api/entity/character/hero');

    const row = async () => {
      const rows = await project.database.read((db: RecordsDb) => findFiles(db, project, [PATH]));
      return rows.get(PATH);
    };

    test('so soon after its save that its time says nothing yet is no change, and no replica hears of it', async () => {
      const saved = await row();
      for (const { record } of read.items) record.ctimeMs = VERIFY_AGAIN;
      await goOn();
      assert.deepEqual(await row(), saved);
      for (const { record } of read.items) record.mtimeMs += 1;
      await goOn();
      assert.equal((await row())?.ctime_ms, VERIFY_AGAIN);
    });

    test('a file that was deleted through the API stays deleted', async () => {
      assert.equal((await core.call('DELETE', '/api/entity/character/hero')).status, 200);
      const outcome = await goOn();
      assert.deepEqual([outcome.created, outcome.updated, outcome.stale], [0, 0, [PATH]]);
      assert.equal((await get()).status, 404);
      await core.mirror.sync(project, { kind: 'full' });
      assert.equal((await get()).status, 404);
      assert.equal(existsSync(join(core.contentDir, PATH)), false);
      assert.equal((await core.call('GET', '/api/recycle-bin')).body.total, 1);
    });

    test('a file that was saved through the API keeps what was saved', async () => {
      await core.call('PUT', '/api/entity/character/hero', { body: { name: 'Heroine' } });
      const outcome = await goOn();
      assert.deepEqual([outcome.created, outcome.updated, outcome.stale], [0, 0, [PATH]]);
      const { body } = await get();
      assert.deepEqual([body.name, body.version], ['Heroine', 2]);
      assert.match(readFileSync(join(core.contentDir, PATH), 'utf8'), /^name: Heroine$/m);
    });

    test('while hundreds of files are stored, others have their turn', async () => {
      const ids = Array.from({ length: 400 }, (_, index) => `extra_${index}`);
      for (const id of ids) {
        const folder = join(core.contentDir, 'Characters', id);
        mkdirSync(folder);
        writeFileSync(join(folder, `CH_${id}.md`), `---\nname: ${id}\n---\nText.\n`);
      }
      read.items = await readItems(['Characters']);
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const outcome = await goOn();
      isOver = true;
      assert.equal(outcome.created, ids.length);
      assert.ok(turns > 4, `${turns} turns`);
    });

    test('a file that nobody touched is as it was', async () => {
      const outcome = await goOn();
      assert.deepEqual([outcome.created, outcome.updated, outcome.unchanged], [0, 0, 1]);
    });
  });
});
