import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { createFaultySyscalls } from '../../../test/support/faulty-files.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { createLocalFiles } from '../../platform/files/adapters/local-files.ts';
import { createLocalScanner } from '../../platform/files/adapters/local-scanner.ts';
import { systemCalls } from '../../platform/files/syscalls.ts';
import { examineProject } from '../doctor/examine.ts';
import type { Project } from '../records/scope.ts';
import { readTextsHere } from '../texts/read-texts.ts';
import type { Author } from './author.ts';
import { createEntities } from './entities.service.ts';
import { createRecycleBin } from './recycle.service.ts';
import { createReferenceChecks } from './reference-checks.ts';
import { createWriteMany, type WriteMany } from './write-many.service.ts';

const AUTHOR: Author = { actor: 'ada', plan: 'enterprise' };

type State = 'absent' | 'old' | 'new' | 'deleted';

interface Services {
  entities: ReturnType<typeof createEntities>;
  bin: ReturnType<typeof createRecycleBin>;
  writeMany: WriteMany;
}

interface Operation {
  name: string;
  from: State;
  to: State;
  run(services: Services, project: Project): Promise<unknown>;
}

const create: Operation = {
  name: 'create',
  from: 'absent',
  to: 'old',
  run: ({ entities }, project) =>
    entities.create(
      project,
      'character',
      { entity_id: 'hero', name: 'old', markdown_body: 'Text.\n' },
      AUTHOR,
    ),
};
const update: Operation = {
  name: 'update',
  from: 'old',
  to: 'new',
  run: ({ entities }, project) => entities.update(project, 'character', 'hero', { name: 'new' }, AUTHOR),
};
const remove: Operation = {
  name: 'delete',
  from: 'old',
  to: 'deleted',
  run: ({ bin }, project) => bin.remove(project, 'character', 'hero', { actor: 'ada' }),
};
const restore: Operation = {
  name: 'restore',
  from: 'deleted',
  to: 'old',
  async run({ bin }, project) {
    const { items } = await bin.list(project, 1, 0);
    return bin.restore(project, items[0]?.item_id ?? '', AUTHOR);
  },
};

const many = (from: State, to: State, version: number): Operation => ({
  name: `${from} to ${to} with many`,
  from,
  to,
  async run({ entities, writeMany }, project) {
    const template = await entities.templateOf(project, 'character');
    const text = `---\nid: hero\nentity_type: character\nname: ${to}\nstatus: draft\n---\n\nMany.\n`;
    const base = version === 1 ? null : { version: version - 1 };
    const origin = { source: 'sync' } as const;
    const taken = await writeMany(project, [{ template, entityId: 'hero', text, base }], AUTHOR, origin);
    if (taken.size === 0) throw new Error('nothing was taken');
  },
});

/** The steps from nothing to each state. */
const WAY: Record<State, readonly Operation[]> = {
  absent: [],
  old: [create],
  new: [create, update],
  deleted: [create, remove],
};

/** The database write fails; after `crash` no file can be changed either. */
type DatabaseFault = 'refused' | 'crash';

class NoDatabase extends Error {}

/** A project whose files or database fail. */
function broken(project: Project, root: string, fault: DatabaseFault): Project {
  let isDead = false;
  const alive =
    <Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) =>
    (...args: Arguments): Result => {
      if (isDead) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return call(...args);
    };
  const syscalls = { ...systemCalls };
  syscalls.renameSync = alive(systemCalls.renameSync);
  syscalls.openSync = alive(systemCalls.openSync);
  return {
    ...project,
    files: createLocalFiles({ root, syscalls }),
    database: {
      ...project.database,
      async write() {
        isDead = fault === 'crash';
        throw new NoDatabase('the database is gone');
      },
    },
  };
}

forEachDatabase((_name, open) => {
  describe('a save that fails at any step leaves the old state or the new one', () => {
    for (const operation of [
      create,
      update,
      remove,
      restore,
      many('absent', 'new', 1),
      many('old', 'new', 2),
    ]) {
      test(operation.name, { timeout: 120_000 }, async () => {
        const world = await openWorld();
        try {
          const { project, core, root } = world;
          const { syscalls, trace } = createFaultySyscalls({ failAt: 0, failure: 'crash' });
          await world.reach(operation.from);
          await operation.run(world.services, { ...project, files: createLocalFiles({ root, syscalls }) });
          assert.ok(trace.length > 1, 'it changes the disk');

          for (const failure of ['crash', 'EIO', 'ENOSPC']) {
            for (let failAt = 1; failAt <= trace.length; failAt += 1) {
              const faulty = createFaultySyscalls({ failAt, failure });
              const files = createLocalFiles({ root, syscalls: faulty.syscalls });
              await attempt(world, operation, { ...project, files }, `${failure} at ${trace[failAt - 1]}`);
            }
          }
          for (const fault of ['refused', 'crash'] as const) {
            await attempt(world, operation, broken(project, root, fault), `database: ${fault}`);
          }
          assert.equal((await core.mirror.sync(project, { kind: 'full' })).created, 0);
        } finally {
          await world.close();
        }
      });
    }
  });

  for (const operation of [create, many('absent', 'new', 1)]) {
    test(`what an editor wrote into a new file stays where the database refuses it: ${operation.name}`, async () => {
      const world = await openWorld();
      try {
        const file = join(world.root, 'Characters/hero/CH_hero.md');
        const edited = '---\nid: hero\nentity_type: character\nname: edited\nstatus: draft\n---\n';
        const refusing: Project = {
          ...world.project,
          database: {
            ...world.project.database,
            async write() {
              writeFileSync(file, edited);
              throw new NoDatabase('the database is gone');
            },
          },
        };
        await assert.rejects(operation.run(world.services, refusing));
        assert.equal(readFileSync(file, 'utf8'), edited);
        await world.core.mirror.sync(world.project, { kind: 'full' });
        const { body } = await world.core.call<{ name: string }>('GET', '/api/entity/character/hero');
        assert.equal(body.name, 'edited');
      } finally {
        await world.close();
      }
    });
  }

  async function attempt(world: World, operation: Operation, project: Project, what: string): Promise<void> {
    await world.reach(operation.from);
    const isDone = await operation.run(world.services, project).then(
      () => true,
      () => false,
    );
    const { status } = await compare(world);
    assert.equal(status, 'completed', what);
    const found = await world.state();
    const allowed = isDone ? [operation.to] : [operation.from, operation.to];
    assert.ok(allowed.includes(found), `${what}: ${found} is none of ${allowed}`);
    const findings = await examine(world);
    assert.deepEqual(
      findings.filter(({ severity }) => severity !== 'warning'),
      [],
      what,
    );
    // The times of a file that has just changed are recorded by a later comparison.
    await until(
      async () => (await compare(world)).status === 'completed' && (await examine(world)).length === 0,
      () => `${what}: ${JSON.stringify(findings)}`,
    );
  }

  const compare = ({ core, project }: World) => core.mirror.sync(project, { kind: 'full' }, { force: true });

  /** The folder has only a few templates, so some of their targets are missing. */
  const examine = async (world: World) =>
    (await examineProject(world, async () => {})).filter(({ check }) => check !== 'templates');

  interface World {
    core: TestCore;
    project: Project;
    root: string;
    services: Services;
    scanner: ReturnType<typeof createLocalScanner>;
    set: Awaited<ReturnType<TestCore['templates']['of']>>;
    state(): Promise<State>;
    reach(state: State): Promise<void>;
    close(): Promise<void>;
  }

  async function openWorld(): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'canonry-faults-'));
    const root = join(folder, 'content');
    mkdirSync(join(root, '_Templates', 'Standard'), { recursive: true });
    const template = '_Templates/Standard/CHARACTER_TEMPLATE.md';
    const source = new URL(`../../../starter/${template}`, import.meta.url);
    await createLocalFiles({ root }).write(template, readFileSync(source));
    const core = await startCore({ open, contentDir: root });
    const [project] = core.projects.opened();
    assert.ok(project);
    const opened: Project = project;
    await core.mirror.whenSettled(project);
    const clock = systemClock;
    const { templates } = core;
    const checks = createReferenceChecks({ templates, log: silentLog });
    const entities = createEntities({ templates, clock, checks });
    const services = {
      entities,
      bin: createRecycleBin({ entities, clock }),
      writeMany: createWriteMany({ entities, readTexts: readTextsHere, clock }),
    };
    const path = 'Characters/hero/CH_hero.md';

    async function state(): Promise<State> {
      const { items } = await services.bin.list(opened, 10, 0);
      assert.ok(items.length <= 1, 'one life is in the bin once');
      const reply = await core.call<{ name: State }>('GET', '/api/entity/character/hero');
      const isThere = existsSync(join(root, path));
      assert.equal(isThere, reply.status === 200, 'file and row are there, or both are not');
      assert.ok(!(isThere && items.length === 1), 'what lives is not in the bin');
      if (isThere) return reply.body.name;
      return items.length === 1 ? 'deleted' : 'absent';
    }

    return {
      core,
      project,
      root,
      services,
      scanner: createLocalScanner({ root }),
      set: await core.templates.of(project),
      state,
      async reach(wanted) {
        const found = await state();
        if (found === 'old' || found === 'new') await remove.run(services, project);
        await services.bin.empty(project);
        for (const step of WAY[wanted]) await step.run(services, project);
        assert.equal(await state(), wanted);
      },
      async close() {
        await core.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
});
