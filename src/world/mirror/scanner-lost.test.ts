import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { startScanWorker } from '../../surfaces/platform.ts';
import { createReferenceChecks } from '../entities/reference-checks.ts';
import { createScannerClient } from '../scan/scanner-client.ts';
import { createMirror } from './mirror.service.ts';
import type { SyncScope } from './run-queue.ts';

const FILES = 1_000;
/** The number of times that one run starts the scanner. */
const ATTEMPTS = 3;

interface World {
  contentDir: string;
  sync(scope?: SyncScope): ReturnType<ReturnType<typeof createMirror>['mirror']['sync']>;
  total(): Promise<number>;
}

type ScanWorker = ReturnType<typeof startScanWorker>;

/** A mirror of a large folder that counts the starts of its scanners. */
async function withScanners(
  options: { onStart(worker: ScanWorker, number: number): void; scannerIdleMs?: number },
  work: (world: World) => Promise<void>,
): Promise<number> {
  const core = await startCore();
  const [project] = core.projects.opened();
  assert.ok(project);
  await core.mirror.whenSettled(project);
  for (let index = 0; index < FILES; index += 1) {
    const folder = join(core.contentDir, 'Characters', `person_${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `CH_person_${index}.md`), `---\nname: Person ${index}\n---\n`);
  }
  let started = 0;
  const { mirror, stop } = createMirror({
    projects: core.projects,
    templates: core.templates,
    bus: core.bus,
    clock: systemClock,
    log: silentLog,
    scanner: createScannerClient(() => {
      const worker = startScanWorker();
      started += 1;
      options.onStart(worker, started);
      return worker;
    }, options.scannerIdleMs),
    createWatcher: () => null,
    noteConflictCopy: async () => {},
    checks: createReferenceChecks({ templates: core.templates, log: silentLog }),
    sweepIntervalMs: null,
    sweepOnStart: false,
    planOf: () => 'enterprise',
  });
  try {
    await work({
      contentDir: core.contentDir,
      sync: (scope = { kind: 'full' }) => mirror.sync(project, scope),
      total: async () => Number((await core.call('GET', '/api/entity/character?limit=1')).body.total),
    });
    return started;
  } finally {
    await stop();
    await core.close();
  }
}

/** The first scanners end as soon as they deliver files. */
async function withMortalScanners(deaths: number, work: (world: World) => Promise<void>): Promise<void> {
  const onStart = (worker: ScanWorker, number: number) => {
    if (number <= deaths) worker.on('message', ({ type }) => type === 'items' && void worker.terminate());
  };
  assert.equal(await withScanners({ onStart }, work), deaths + 1);
}

test('a run whose scanner dies in the middle starts another one and ends complete', () =>
  withMortalScanners(1, async ({ sync, total }) => {
    assert.equal((await sync()).status, 'completed');
    assert.equal(await total(), FILES);
    const again = await sync();
    assert.deepEqual([again.created, again.updated, again.deleted, again.unchanged], [0, 0, 0, FILES]);
  }));

test('a run whose scanners all die fails, deletes nothing, and the next one ends complete', () =>
  withMortalScanners(ATTEMPTS, async ({ sync, total }) => {
    assert.equal((await sync()).status, 'failed');
    assert.equal((await sync()).status, 'completed');
    assert.equal(await total(), FILES);
  }));

test('an idle scanner is ended; the next one is told what it needs, for a few paths or for all', async () => {
  let ended = Promise.resolve<unknown>(undefined);
  const onStart = (worker: ScanWorker) => {
    ended = once(worker, 'exit');
  };
  const started = await withScanners({ onStart, scannerIdleMs: 20 }, async ({ contentDir, sync, total }) => {
    const counts = async (scope?: SyncScope) => {
      const { status, created, updated, deleted, unchanged } = await sync(scope);
      await ended;
      return [status, created, updated, deleted, unchanged];
    };
    assert.deepEqual(await counts(), ['completed', FILES, 0, 0, 0]);
    const folder = (index: number) => join(contentDir, 'Characters', `person_${index}`);
    writeFileSync(join(folder(1), 'CH_person_1.md'), '---\nname: Somebody else\n---\n');
    rmSync(folder(2), { recursive: true });
    renameSync(folder(3), folder(FILES));
    const paths = [1, 2, 3, 4, FILES].map((index) => `Characters/person_${index}`);
    assert.deepEqual(await counts({ kind: 'paths', paths }), ['completed', 1, 1, 2, 1]);
    assert.equal(await total(), FILES - 1);
    assert.deepEqual(await counts(), ['completed', 0, 0, 0, FILES - 1]);
  });
  assert.ok(started >= 3);
});

test('a folder that was copied, and deleted once the scanner had ended, keeps its entity', async () => {
  let ended = Promise.resolve<unknown>(undefined);
  const onStart = (worker: ScanWorker) => {
    ended = once(worker, 'exit');
  };
  await withScanners({ onStart, scannerIdleMs: 20 }, async ({ contentDir, sync, total }) => {
    const folder = (name: string) => join(contentDir, 'Characters', name);
    const look = async (scope: SyncScope) => {
      const { status, created, updated, deleted } = await sync(scope);
      await ended;
      return [status, created, updated, deleted];
    };
    const lookAt = (name: string) => look({ kind: 'paths', paths: [`Characters/${name}`] });
    writeFileSync(join(folder('person_1'), 'CH_person_1.md'), '---\nid: person_1\nname: Somebody\n---\n');
    await look({ kind: 'full' });
    cpSync(folder('person_1'), folder('Somebody'), { recursive: true });
    assert.deepEqual(await lookAt('Somebody'), ['completed', 0, 0, 0]);
    rmSync(folder('person_1'), { recursive: true });
    assert.deepEqual(await lookAt('person_1'), ['completed', 0, 1, 0]);
    assert.equal(await total(), FILES);
  });
});
