import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import type { Project } from '../records/scope.ts';
import { withoutKnown } from './known-paths.ts';

describe('paths that a watcher names', () => {
  let core: TestCore;
  let project: Project;
  before(async () => {
    core = await startCore();
    project = core.projects.opened()[0] as Project;
    await core.mirror.sync(project, { kind: 'full' });
    for (const id of ['ada', 'bob', 'cleo', 'dora'])
      await core.call('POST', '/api/entity/character', { body: { entity_id: id, name: id } });
  });
  after(() => core.close());

  const at = (path: string) => join(core.contentDir, path);
  const fileOf = (id: string) => `Characters/${id}/CH_${id}.md`;
  const left = (...paths: string[]) => withoutKnown(project, paths);

  test('are left out after own saves, their folders too', async () => {
    await core.call('PUT', '/api/entity/character/ada', { body: { name: 'Ada' } });
    assert.deepEqual(await left(fileOf('ada'), 'Characters/ada', fileOf('bob')), []);
  });

  test('stay where somebody else wrote, removed or added something', async () => {
    saveFile(at(fileOf('ada')), '---\nid: ada\nname: Somebody else\n---\n');
    writeFileSync(at('Characters/bob/notes.md'), 'more');
    mkdirSync(at('Characters/cleo/images'));
    rmSync(at(fileOf('dora')));
    const stay = [
      fileOf('ada'),
      'Characters/ada',
      'Characters/bob',
      'Characters/bob/notes.md',
      'Characters/cleo',
      fileOf('dora'),
      'Characters/dora',
    ];
    assert.deepEqual(await left(...stay, fileOf('bob'), fileOf('cleo')), stay);
  });

  test('stay where more than an entity is to be looked at', async () => {
    const template = '_Templates/Standard/CHARACTER_TEMPLATE.md';
    const stay = ['', template, 'Characters', 'Nowhere/at/all.md'];
    assert.deepEqual(await left(...stay), stay);
  });
});
