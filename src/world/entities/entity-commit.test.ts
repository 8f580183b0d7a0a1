import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore } from '../../../test/support/core.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { createManifests } from '../mirror/manifest.service.ts';
import type { Project } from '../records/scope.ts';
import { createEntities } from './entities.service.ts';
import { createReferenceChecks } from './reference-checks.ts';

test('whoever looks between the write of a file and its commit is told of it by what changed since', async () => {
  const core = await startCore();
  try {
    const [project] = core.projects.opened();
    assert.ok(project);
    let moment = '';
    const manifests = createManifests({ clock: systemClock });
    const slow: Project = {
      ...project,
      files: {
        ...project.files,
        async write(...args) {
          const stat = await project.files.write(...args);
          await pause(5);
          moment = await manifests.presentTime(project);
          return stat;
        },
      },
    };
    const { templates } = core;
    const checks = createReferenceChecks({ templates, log: silentLog });
    const entities = createEntities({ templates, clock: systemClock, checks });
    const author = { actor: 'ada', plan: 'enterprise' } as const;
    const changes = () => manifests.changesSince(project, moment);
    const path = 'Characters/hero/CH_hero.md';
    await entities.create(slow, 'character', { entity_id: 'hero', name: 'Hero' }, author);
    const { added, modified } = await changes();
    assert.deepEqual([...added, ...modified], [path]);
    await pause(5);
    await entities.update(slow, 'character', 'hero', { name: 'Heroine' }, author);
    assert.deepEqual((await changes()).modified, [path]);
  } finally {
    await core.close();
  }
});
