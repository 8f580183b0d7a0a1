import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { systemClock } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { openLocalScanner } from '../../surfaces/scanner.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import { examineProject, repairProject } from './index.ts';

const MIRA = 'Characters/mira_vale/CH_mira_vale.md';

forEachDatabase((_name, open) => {
  let core: TestCore;
  let project: Project;
  beforeEach(async () => {
    core = await startCore({ open, content: 'sample' });
    project = await core.projects.open(LOCAL_TENANT, DEFAULT_PROJECT);
    await core.mirror.sync(project, { kind: 'full' });
  });
  afterEach(() => core.close());

  const subjectOf = async () => ({
    project,
    scanner: openLocalScanner(await project.files.describe()),
    set: await core.templates.of(project),
  });
  const examine = async () => examineProject(await subjectOf(), async () => {});
  const checks = async (): Promise<string[]> => (await examine()).map(({ check }) => check);
  const sync = () => core.mirror.sync(project, { kind: 'full' });
  const mend = async (trySync: () => Promise<unknown> = sync) => {
    const tools = {
      ...(await subjectOf()),
      clock: systemClock,
      renames: core.renames,
      sync: trySync,
      reloadTemplates: () => core.templates.reload(project),
      onFailure: (path: string, error: unknown) => assert.fail(`${path}: ${String(error)}`),
    };
    await repairProject(tools, await examine());
  };
  const spoil = (work: (db: RecordsDb) => Promise<unknown>) =>
    project.database.write(async (db: RecordsDb) => void (await work(db)));
  const wrongName = () =>
    spoil((db) => db.updateTable('entities').set({ name: 'x' }).where('path', '=', MIRA).execute());

  const SPOILS: readonly (readonly [string, string, () => unknown])[] = [
    ['a wrong row of an entity', 'entity_row', wrongName],
    [
      'a file that went',
      'entity_row',
      () => rmSync(join(core.contentDir, 'Characters/mira_vale'), { recursive: true }),
    ],
    [
      'wrong counts',
      'counts',
      () => spoil((db) => db.updateTable('entity_counts').set({ total: 7 }).execute()),
    ],
    [
      'a template that its row does not mirror',
      'templates',
      () =>
        spoil((db) =>
          db
            .updateTable('entities')
            .set({ file_checksum: 'x' })
            .where('entity_type', '=', 'Template')
            .execute(),
        ),
    ],
  ];
  for (const [name, check, work] of SPOILS) {
    test(`${name} is found, mended, and found no more`, async () => {
      assert.deepEqual(await examine(), []);
      await work();
      assert.ok((await checks()).includes(check), JSON.stringify(await checks()));
      await mend();
      assert.deepEqual(await examine(), []);
    });
  }

  test('a repair that is interrupted leaves its findings, and the next one mends them', async () => {
    await wrongName();
    const before = await examine();
    await assert.rejects(
      mend(() => Promise.reject(new Error('killed'))),
      /killed/,
    );
    assert.deepEqual(await examine(), before);
    await mend();
    assert.deepEqual(await examine(), []);
  });
});
