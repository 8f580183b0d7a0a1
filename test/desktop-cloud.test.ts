import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, makeWorld, readTree } from './support/desktop.ts';
import { signIn, startDesktopInstall, startStudio } from './support/studio.ts';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

test('an install signs in by the browser, sends a world, and sees what another writes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'desktop-cloud-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const world = makeWorld(folder, 'low-water', 'ada', 'bob');
  const files = Object.keys(readTree(world));
  const [{ cloud, owner }, install] = await Promise.all([
    startStudio(t, folder, REDIS_URL),
    startDesktopInstall(t, join(folder, 'install')),
  ]);
  const { desktop } = install;
  await desktop('POST', 'projects', { path: world });
  await desktop('POST', 'projects/low-water/activate');

  await signIn(install, cloud.url, owner);

  const round = await desktop<{ error: unknown; pushed: number }>('POST', 'sync/now');
  assert.equal(round.error, null, JSON.stringify(round));
  const inCloud = (id: string) => owner.ask('GET', `/api/entity/character/${id}?project_id=low-water`);
  for (const id of ['ada', 'bob']) {
    const found = await inCloud(id);
    assert.equal(found.status, 200, found.text);
  }
  await desktop('POST', 'sync/start');
  const connected = await desktop<{ state: string }>('POST', 'ws/connect');
  assert.equal(connected.state, 'connected', JSON.stringify(connected));
  const presence = async () =>
    (await owner.ask<{ online: boolean }>('GET', '/api/desktop/sync/presence')).body.online;
  await eventually(presence, (online) => online);

  const edited = await owner.ask('PUT', '/api/entity/character/ada?project_id=low-water', {
    markdown_body: 'Written by another.\n',
  });
  assert.equal(edited.status, 200, edited.text);
  const file = join(world, 'Characters/ada/CH_ada.md');
  await eventually(
    () => readFileSync(file, 'utf8'),
    (text) => text.endsWith('Written by another.\n'),
  );
  const exported = await owner.ask<{ content: string }>(
    'POST',
    '/api/markdown/export/character/ada?project_id=low-water',
  );
  assert.equal(exported.body.content, readFileSync(file, 'utf8'));

  const before = readTree(world);
  assert.deepEqual(Object.keys(before), files, 'nothing else came into the folder');
  assert.deepEqual(await desktop('POST', 'auth/logout'), { message: 'Signed out', revoked: true });
  await eventually(presence, (online) => !online);
  assert.deepEqual(readTree(world), before);
  assert.doesNotMatch(install.service.output(), /eyJ|cnr_/);
});
