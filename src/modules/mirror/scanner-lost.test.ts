import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { startScanWorker } from '../../surfaces/platform.ts';
import { createMirror } from './mirror.service.ts';

const FILES = 1_000;
/** As often as one run starts the scanner. */
const ATTEMPTS = 3;

/** A mirror whose first scanners are ended as soon as they hand over files. */
async function withMortalScanners(
  deaths: number,
  work: (world: {
    sync(): ReturnType<ReturnType<typeof createMirror>['mirror']['sync']>;
    total(): Promise<number>;
  }) => Promise<void>,
): Promise<void> {
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
    startScanner() {
      const worker = startScanWorker();
      started += 1;
      if (started <= deaths) worker.on('message', ({ type }) => type === 'items' && void worker.terminate());
      return worker;
    },
    createWatcher: () => null,
    sweepIntervalMs: null,
    sweepOnStart: false,
    plan: 'enterprise',
  });
  try {
    await work({
      sync: () => mirror.sync(project, { kind: 'full' }),
      total: async () => Number((await core.call('GET', '/api/entity/character?limit=1')).body.total),
    });
    assert.equal(started, deaths + 1);
  } finally {
    await stop();
    await core.close();
  }
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
