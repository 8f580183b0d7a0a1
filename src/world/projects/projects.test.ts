import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { createTestLog } from '../../../test/support/test-log.ts';
import { until } from '../../../test/support/until.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { createInProcessBus } from '../../platform/bus/adapters/in-process-bus.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import { type Project, recordMigrations } from '../records/index.ts';
import { createProjects, type ProjectLimits, type ProjectPart, type Projects } from './projects.service.ts';

const LIMITS: ProjectLimits = { most: 2, idleMs: 60_000 };

forEachDatabase((name, open) => {
  describe('open projects', () => {
    let opened: OpenedDatabase;
    let root: string;
    let now: number;
    let projects: Projects;
    let calls: string[];
    const testLog = createTestLog();

    const folderOf = (tenantId: string, projectId: string) => join(root, tenantId, projectId);
    const filesIn = (folder: string) => createLocalFiles({ root: folder });

    const startProjects = (database: Database, limits = LIMITS): Projects =>
      createProjects({
        database,
        bus: createInProcessBus({ onError: (error) => testLog.log.error(String(error)) }),
        clock: { now: () => now },
        largestText: 1_000,
        limits,
        log: testLog.log,
        folders: {
          makesDefault: true,
          list: async () => null,
          open: async (tenantId, projectId) => {
            const folder = folderOf(tenantId, projectId);
            return existsSync(folder) ? filesIn(folder) : null;
          },
          create: async (tenantId, projectId, beginning) => {
            const folder = folderOf(tenantId, projectId);
            calls.push(`create ${projectId} ${beginning}`);
            mkdirSync(folder, { recursive: true });
            return filesIn(folder);
          },
        },
      });
    /** A part that records its calls; `over` replaces some of them. */
    const attach = (part: string, over: ProjectPart = {}) =>
      projects.attach({
        open: async ({ projectId }) => void calls.push(`${part} opens ${projectId}`),
        close: async ({ projectId }) => void calls.push(`${part} closes ${projectId}`),
        ...over,
      });
    const make = async (tenantId: string, projectId: string) => {
      const { project, release } = await projects.borrow(tenantId, projectId, { create: true });
      release();
      return project;
    };
    const openNames = () => projects.opened().map(({ projectId }) => projectId);

    beforeEach(async () => {
      opened = await open();
      await opened.database.migrate(recordMigrations);
      root = mkdtempSync(join(tmpdir(), 'projects-'));
      now = Date.UTC(2026, 0, 1);
      calls = [];
      projects = startProjects(opened.database);
    });
    afterEach(async () => {
      await projects.stop();
      await opened.close();
      rmSync(root, { recursive: true });
    });

    test('open their parts in order and close them in reverse', async () => {
      attach('first');
      attach('second');
      await make('t', 'novel');
      assert.equal(await projects.close('t', 'novel'), true);
      assert.deepEqual(calls, [
        'create novel starter',
        'first opens novel',
        'second opens novel',
        'second closes novel',
        'first closes novel',
      ]);
    });

    test('are opened once, however many ask at the same time', async () => {
      attach('part');
      const borrowed = await Promise.all(
        Array.from({ length: 20 }, () => projects.borrow('t', 'novel', { create: true })),
      );
      assert.equal(new Set(borrowed.map(({ project }) => project)).size, 1);
      assert.deepEqual(calls, ['create novel starter', 'part opens novel']);
      for (const { release } of borrowed) release();
    });

    test('are not made by a reader, not even while an editor makes the same one', async () => {
      await assert.rejects(
        projects.use('t', 'novel', async () => {}),
        { status: 404 },
      );
      assert.deepEqual(calls, []);
      const [reader, editor] = await Promise.allSettled([
        projects.borrow('t', 'novel'),
        projects.borrow('t', 'novel', { create: true, beginning: 'empty' }),
      ]);
      assert.equal(reader.status, 'rejected');
      assert.equal(editor.status, 'fulfilled');
      assert.deepEqual(calls, ['create novel empty']);
      assert.deepEqual(openNames(), ['novel']);
    });

    test('whose part fails leave no place taken, and open at the next try', async () => {
      let fails = true;
      attach('first');
      attach('second', {
        open: async () => {
          if (fails) throw new Error('no watch');
        },
      });
      for (let time = 0; time <= LIMITS.most; time += 1) await assert.rejects(make('t', 'novel'), /no watch/);
      assert.deepEqual(openNames(), []);
      assert.ok(calls.includes('first closes novel'));
      fails = false;
      await make('t', 'novel');
      assert.deepEqual(openNames(), ['novel']);
    });

    test('whose part fails to close are closed all the same, and the log says so', async () => {
      const errors = testLog.expectErrors(/did not close well: the disk is away/);
      attach('first');
      attach('second', {
        close: async () => {
          throw new Error('the disk is away');
        },
      });
      await make('t', 'novel');
      assert.equal(await projects.close('t', 'novel'), true);
      assert.equal(errors.length, 1);
      assert.equal(calls.at(-1), 'first closes novel');
    });

    test('give their place to others: the one that was used least recently is closed', async () => {
      await make('t', 'one');
      now += 1;
      await make('t', 'two');
      now += 1;
      await projects.use('t', 'one', async () => {});
      await make('t', 'three');
      assert.deepEqual(openNames(), ['one', 'three']);
    });

    test('stay open while they are borrowed or busy, and close when they have been idle', async () => {
      projects = startProjects(opened.database, { most: 8, idleMs: 20 });
      let isBusy = true;
      attach('part', { isBusy: ({ projectId }) => isBusy && projectId === 'busy' });
      const { release } = await projects.borrow('t', 'held', { create: true });
      await make('t', 'busy');
      await make('t', 'idle');
      await projects.start();
      now += 1_000;
      await until(() => calls.includes('part closes idle'));
      assert.deepEqual(openNames(), ['held', 'busy']);
      isBusy = false;
      release();
      now += 1_000;
      await until(() => projects.opened().length === 0);
    });

    test('that close are opened anew by a request that comes meanwhile', async () => {
      const closing = Promise.withResolvers<void>();
      attach('part', { close: () => closing.promise });
      const first = await make('t', 'novel');
      const closed = projects.close('t', 'novel');
      const again = make('t', 'novel');
      closing.resolve();
      assert.notEqual(await again, first);
      await closed;
    });

    test('stay open while they are visited, however many want their place', async () => {
      await make('t', 'one');
      const seen: string[] = [];
      await projects.each(async ({ projectId }: Project) => {
        seen.push(projectId);
        for (const other of ['two', 'three', 'four']) await make('t', other);
        assert.deepEqual(openNames(), ['one', 'four']);
      });
      assert.deepEqual(seen, ['one']);
    });

    test('have numbers of their own over all tenants, also where two cores make them at once', async () => {
      const other = startProjects(opened.again(), { most: 20, idleMs: 60_000 });
      projects = startProjects(opened.database, { most: 20, idleMs: 60_000 });
      const made = await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const cores = index % 2 === 0 ? projects : other;
          const { project } = await cores.borrow(`t${index % 4}`, `p${index >> 2}`, { create: true });
          return project.number;
        }),
      );
      assert.equal(new Set(made).size, 16);
      const { project } = await other.borrow('t0', 'p0');
      assert.equal(project.number, made[0]);
      await other.stop();
    });

    // On SQLite a data folder has one process.
    if (name === 'postgres')
      test('are made once where two cores make the same one at once', async () => {
        const other = startProjects(opened.again());
        const made = await Promise.all(
          [projects, other].map((each) => each.borrow('t', 'novel', { create: true })),
        );
        assert.equal(made[0]?.project.number, made[1]?.project.number);
        assert.deepEqual(calls, ['create novel starter']);
        await other.stop();
      });

    test('begin with a default one, which is not made again where its disk is away', async () => {
      await projects.use('t', DEFAULT_PROJECT, async () => {});
      assert.deepEqual(calls, [`create ${DEFAULT_PROJECT} starter`]);
      await projects.close('t', DEFAULT_PROJECT);
      renameSync(folderOf('t', DEFAULT_PROJECT), join(root, 'away'));
      await assert.rejects(
        projects.use('t', DEFAULT_PROJECT, async () => {}),
        {
          status: 503,
          message: /is its disk mounted/,
        },
      );
      assert.equal(existsSync(folderOf('t', DEFAULT_PROJECT)), false);
      renameSync(join(root, 'away'), folderOf('t', DEFAULT_PROJECT));
      await projects.use('t', DEFAULT_PROJECT, async () => {});
    });
  });
});
