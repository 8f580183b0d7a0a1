import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore } from '../../../test/support/core.ts';

test('an entity whose folder was away for a moment, while another one had its file, is back with it', async (t) => {
  const core = await startCore();
  t.after(() => core.close());
  const [project] = core.projects.opened();
  assert.ok(project);
  const sync = () => core.call('POST', '/api/sync/refresh-all', { body: { force: true } });
  const characters = join(core.contentDir, 'Characters');
  mkdirSync(join(characters, 'bo'), { recursive: true });
  writeFileSync(join(characters, 'bo', 'CH_bo.md'), '---\nid: bo\nname: Bo\n---\n\nWords.\n');
  await sync();
  // The walk finds it at both paths; then only at the second.
  cpSync(join(characters, 'bo'), join(characters, 'ada'), { recursive: true });
  const { stat } = project.files;
  const away = t.mock.method(project.files, 'stat', async (path: string) =>
    path === 'Characters/bo/CH_bo.md' ? undefined : stat(path),
  );
  await sync();
  assert.ok(away.mock.callCount() > 0);
  away.mock.restore();
  rmSync(join(characters, 'ada'), { recursive: true });
  await sync();
  await sync();
  assert.equal((await core.call('GET', '/api/entity/character/bo')).status, 200);
});
