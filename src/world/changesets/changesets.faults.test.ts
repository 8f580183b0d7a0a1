import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { snapshot as filesBelow } from '../../../test/support/cli.ts';
import { startCore } from '../../../test/support/core.ts';
import { forEachDatabase, type OpenDatabase } from '../../../test/support/databases.ts';
import { createFaultySyscalls } from '../../../test/support/faulty-files.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import { createLocalScanner } from '../../platform/files/adapters/local-scanner.ts';
import { systemCalls } from '../../platform/files/syscalls.ts';
import { createTemplateEditor } from '../definitions/templates/edit-template.service.ts';
import { examineProject } from '../doctor/examine.ts';
import { createEntities } from '../entities/entities.service.ts';
import { createRecycleBin } from '../entities/recycle.service.ts';
import { createReferenceChecks } from '../entities/reference-checks.ts';
import type { Project } from '../records/scope.ts';
import { createChangesets } from './changesets.service.ts';
import { createMigrations } from './migration.service.ts';
import { createRenames } from './rename.service.ts';

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;
const RENAME = { entity_type: 'character', old_id: 'mira', new_id: 'mira_vale' };
const MIGRATION = {
  name: 'location',
  changes: [{ kind: 'rename', field: 'owner', to: 'landlord' } as const],
  updateTemplate: true,
};
const PERSON = { 'Characters/mira/CH_mira.md': '---\nid: mira\nname: Mira\n---\n\nOf [[quay]].\n' };
const PLACES = Object.fromEntries(
  ['quay', 'hall'].map((id) => [
    `Locations/${id}/LOC_${id}.md`,
    `---\nid: ${id}\nname: ${id}\nowner: mira\n---\n\nHome of [[mira]].\n`,
  ]),
);
const ASSET = { 'Characters/mira/images/face.png': 'pixels' };

/** Files by path, without the half-written temporary files of a crash and without the recycle bin. */
const snapshot = (root: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filesBelow(root))
      .filter(([path]) => !/^_RecycleBin|\/\.canonry-/.test(path))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** A process that works on the folder until it dies: its services know nothing of earlier ones. */
async function openWorld(open: OpenDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'canonry-operations-'));
  const root = join(folder, 'content');
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const type of ['CHARACTER', 'LOCATION']) {
    const path = `_Templates/Standard/${type}_TEMPLATE.md`;
    put(path, readFileSync(new URL(`../../../starter/${path}`, import.meta.url)));
  }
  for (const [path, text] of Object.entries({ ...PERSON, ...PLACES, ...ASSET })) put(path, text);
  const core = await startCore({ open, contentDir: root });
  const [project] = core.projects.opened();
  assert.ok(project);
  await core.mirror.whenSettled(project);
  const { templates } = core;
  const clock = systemClock;

  function newProcess() {
    const checks = createReferenceChecks({ templates, log: silentLog });
    const entities = createEntities({ templates, clock, checks });
    const changesets = createChangesets({
      templates,
      templateEditor: createTemplateEditor({ registry: templates, clock }),
      entities,
      recycleBin: createRecycleBin({ entities, clock }),
      clock,
      log: silentLog,
    });
    return {
      changesets,
      renames: createRenames({ entities, changesets }),
      migrations: createMigrations({ entities, changesets }),
    };
  }

  /** A start finishes interrupted work and sweeps; afterwards files and rows must agree. */
  async function startAgain(opened: Project, what: string): Promise<void> {
    const { changesets } = newProcess();
    await changesets.recover(opened);
    const { operations } = await changesets.list(opened, 5, 0);
    assert.deepEqual(
      operations.filter(({ status }) => status !== 'done' && status !== 'undone'),
      [],
      what,
    );
    const report = await core.mirror.sync(opened, { kind: 'full' });
    assert.deepEqual([report.created, report.updated, report.deleted], [0, 0, 0], what);
    const scanner = createLocalScanner({ root });
    const set = await templates.of(opened);
    const findings = await examineProject({ project: opened, scanner, set }, async () => {});
    // The folder has only a few templates, so some of their targets are missing.
    assert.deepEqual(
      findings.filter(({ check }) => check !== 'templates'),
      [],
      what,
    );
  }

  return {
    core,
    project,
    root,
    newProcess,
    startAgain,
    async close() {
      await core.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Process = ReturnType<World['newProcess']>;

const OPERATIONS: { name: string; work(process: Process, project: Project): Promise<unknown> }[] = [
  { name: 'a rename', work: ({ renames }, project) => renames.rename(project, RENAME, AUTHOR) },
  {
    name: 'an import',
    work: ({ changesets }, project) =>
      changesets.apply(project, {
        kind: 'import',
        label: 'Import',
        author: AUTHOR,
        source: 'import',
        steps: [
          { kind: 'create', entity_type: 'character', entity_id: 'tam', text: '---\nid: tam\n---\n' },
          { kind: 'create', entity_type: 'location', entity_id: 'well', text: '---\nid: well\n---\n' },
          { kind: 'asset', path: 'Characters/tam/images/face.png', bytes: Buffer.from('pixels') },
          { kind: 'asset', path: 'pictures/map.png', bytes: Buffer.from('map') },
        ],
      }),
  },
  {
    name: 'a migration with its template',
    work: ({ migrations }, project) => migrations.migrate(project, MIGRATION, AUTHOR),
  },
];

type World = Awaited<ReturnType<typeof openWorld>>;
type Work = (project: Project) => Promise<unknown>;

/**
 * Every way in which a call after the N-th can fail (every `diskEvery`-th call of the disk), with the project as the failing process sees
 * it.
 */
function* faultyProjects(world: World, calls: { disk: string[]; writes: number }, diskEvery: number) {
  const { project, root } = world;
  for (const failure of ['crash', 'ENOSPC']) {
    // After a full disk the process is alive and repairs what it can, so fewer points are enough.
    const every = failure === 'ENOSPC' ? 3 * diskEvery : diskEvery;
    for (const [index, call] of calls.disk.entries()) {
      if (index % every > 0) continue;
      const { syscalls } = createFaultySyscalls({ failAt: index + 1, failure });
      const what = `${failure} at ${call}`;
      yield { what, project: { ...project, files: createLocalFiles({ root, syscalls }) } };
    }
  }
  for (let failAt = 1; failAt <= calls.writes; failAt += 1) {
    yield { what: `killed at database write ${failAt}`, project: killedAt(world, failAt).project };
  }
}

/** From the N-th database write on, nothing reaches database or disk; 0 means never. */
function killedAt({ project, root }: World, failAt: number): { project: Project; writes(): number } {
  let writes = 0;
  const isDead = () => failAt > 0 && writes >= failAt;
  const alive =
    <Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) =>
    (...args: Arguments): Result => {
      if (isDead()) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return call(...args);
    };
  const syscalls = { ...systemCalls };
  syscalls.renameSync = alive(systemCalls.renameSync);
  syscalls.openSync = alive(systemCalls.openSync);
  return {
    writes: () => writes,
    project: {
      ...project,
      files: createLocalFiles({ root, syscalls }),
      database: {
        ...project.database,
        async write(work) {
          writes += 1;
          if (isDead()) throw new Error('the process is gone');
          return project.database.write(work);
        },
      },
    },
  };
}

forEachDatabase((name, open) => {
  // The disk fails in the same way below either database.
  const diskEvery = name === 'sqlite' ? 1 : 8;

  describe('an operation that stops at any point is whole after the next start', () => {
    for (const { name: operation, work } of OPERATIONS) {
      test(`${operation}, and its undo`, { timeout: 300_000 }, async () => {
        const world = await openWorld(open);
        const { project, root, newProcess } = world;
        try {
          const before = snapshot(root);
          const apply: Work = (target) => work(newProcess(), target);
          const undo: Work = async (target) => {
            const { operations } = await newProcess().changesets.list(project, 1, 0);
            const author = { ...AUTHOR, role: 'admin' } as const;
            return newProcess().changesets.undo(target, operations[0]?.operation_id ?? '', author);
          };
          await apply(project);
          const after = snapshot(root);
          assert.notEqual(JSON.stringify(after), JSON.stringify(before));
          await undo(project);
          assert.equal(JSON.stringify(snapshot(root)), JSON.stringify(before));

          await everyFault(world, apply, undo, [before, after]);
          await apply(project);
          await everyFault(world, undo, apply, [after, before]);
        } finally {
          await world.close();
        }
      });
    }
  });

  /** The operation that the newest one undoes must be marked as undone. */
  async function requireUndone({ project, newProcess }: World, what: string): Promise<void> {
    const { changesets } = newProcess();
    const target = (await changesets.list(project, 1, 0)).operations[0]?.undoes ?? null;
    if (target === null) return;
    assert.equal((await changesets.get(project, target)).status, 'undone', what);
  }

  /** `work` leads from the first state to the second, and `back` the other way. */
  async function everyFault(
    world: World,
    work: Work,
    back: Work,
    [from, to]: [ReturnType<typeof snapshot>, ReturnType<typeof snapshot>],
  ): Promise<void> {
    const { project, root } = world;
    const { syscalls, trace } = createFaultySyscalls({ failAt: 0, failure: 'crash' });
    await work({ ...project, files: createLocalFiles({ root, syscalls }) });
    await back(project);
    const counted = killedAt(world, 0);
    await work(counted.project);
    await back(project);
    const outcomes = new Set<string>();
    const calls = { disk: trace, writes: counted.writes() };
    for (const { what, project: failing } of faultyProjects(world, calls, diskEvery)) {
      await work(failing).catch(() => {});
      await world.startAgain(project, what);
      const now = snapshot(root);
      const isDone = JSON.stringify(now) === JSON.stringify(to);
      const different = Object.keys({ ...now, ...to, ...from }).filter(
        (path) => now[path] !== (isDone ? to : from)[path],
      );
      assert.deepEqual(different, [], `${what}: neither the old state nor the new one`);
      outcomes.add(isDone ? 'new' : 'old');
      if (isDone) await requireUndone(world, what);
      if (isDone) await back(project);
    }
    assert.ok(outcomes.has('new'), 'what was planned was finished');
  }
});
