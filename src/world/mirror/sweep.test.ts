import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { NOT_WATCHING, type Watcher } from '../../platform/watcher/watcher.ts';
import { startScanWorker } from '../../surfaces/platform.ts';
import { createReferenceChecks } from '../entities/reference-checks.ts';
import { createScannerClient } from '../scan/scanner-client.ts';
import { createProjectMirror } from './project-mirror.ts';

/** A watcher that loses every event without noticing. */
const DEAF: Watcher = {
  start: async () => {},
  stop: async () => {},
  status: () => ({ ...NOT_WATCHING, running: true }),
};

test('what the watcher never told of is found by the next sweep', async (t) => {
  const core = await startCore();
  t.after(() => core.close());
  const project = await core.projects.open('local', 'default');
  const scanner = createScannerClient(startScanWorker);
  const { templates } = core;
  const mirror = createProjectMirror({
    ...{ project, templates, scanner, watcher: DEAF, clock: systemClock, log: silentLog },
    sweepIntervalMs: 50,
    sweepOnStart: false,
    entitiesLimit: () => -1,
    noteConflictCopy: async () => {},
    checks: createReferenceChecks({ templates, log: silentLog }),
    prepared: async () => {},
    stored: () => {},
    synced: () => {},
  });
  t.after(async () => {
    await mirror.stop();
    await scanner.close();
  });
  await mirror.start();

  const folder = (id: string) => join(core.contentDir, 'Characters', id);
  const put = (id: string, name: string) =>
    saveFile(join(folder(id), `CH_${id}.md`), `---\nname: ${name}\n---\n`);
  const isThere = async (id: string, name?: string) => {
    const { status, body } = await core.call('GET', `/api/entity/character/${id}`);
    return name === undefined ? status === 404 : body.name === name;
  };
  // Enough that two deletions do not trip the deletion guard.
  for (const id of ['ada', 'bob', 'cleo', 'dora', 'eve', 'finn', 'gina', 'hugo']) put(id, id);
  await until(() => isThere('hugo', 'hugo'));
  put('ada', 'Ada, the first');
  await until(() => isThere('ada', 'Ada, the first'));
  renameSync(folder('bob'), folder('robert'));
  await until(async () => (await isThere('robert', 'bob')) && (await isThere('bob')));
  rmSync(folder('cleo'), { recursive: true });
  await until(() => isThere('cleo'));
  assert.ok(await isThere('dora', 'dora'));
});
