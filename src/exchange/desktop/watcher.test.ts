import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, startDesktop, writeCharacter } from '../../../test/support/desktop.ts';

interface Watcher {
  project: string;
  running: boolean;
  paused: boolean;
}

test('the folder of the active project is watched, left alone on request, and caught up with', async (t) => {
  const desktop = await startDesktop({ watch: true });
  t.after(() => desktop.close());
  const folder = desktop.world('watched', 'ada');
  await desktop.ask('POST', '/api/desktop/projects', { body: { path: folder } });
  await desktop.ask('POST', '/api/desktop/projects/watched/activate');
  const watcher = async (method: string, what: string) => {
    const { status, body, text } = await desktop.ask<Watcher>(method, `/api/desktop/watcher/${what}`);
    assert.equal(status, 200, text);
    return [body.project, body.running, body.paused];
  };
  const get = async (id: string) => (await desktop.call('GET', `/api/entity/character/${id}`)).status;
  const appears = (id: string) =>
    eventually(
      () => get(id),
      (status) => status === 200,
    );

  await appears('ada');
  await eventually(
    () => watcher('GET', 'status'),
    ([, running]) => running === true,
  );
  writeCharacter(folder, 'bob');
  await appears('bob');

  assert.deepEqual(await watcher('POST', 'stop'), ['watched', false, true]);
  writeCharacter(folder, 'cleo');
  const named = await desktop.call('POST', '/api/entity/character', {
    body: { entity_id: 'marker', name: 'Marker' },
  });
  assert.equal(named.status, 201);
  assert.equal(await get('cleo'), 404);
  assert.deepEqual(await watcher('GET', 'status'), ['watched', false, true]);

  assert.deepEqual(await watcher('POST', 'start'), ['watched', true, false]);
  await appears('cleo');
  writeCharacter(folder, 'dora');
  await appears('dora');
});

test('a scan on request finds what was left alone, and begins no watch', async (t) => {
  const desktop = await startDesktop({ watch: true });
  t.after(() => desktop.close());
  await desktop.ask('POST', '/api/desktop/watcher/stop');
  writeCharacter(desktop.contentDir, 'ada');
  const scanned = await desktop.ask<{ created: number }>('POST', '/api/desktop/projects/default/scan');
  assert.equal(scanned.status, 200, scanned.text);
  assert.equal((await desktop.call('GET', '/api/entity/character/ada')).status, 200);
  const { body } = await desktop.ask<Watcher>('GET', '/api/desktop/watcher/status');
  assert.deepEqual([body.running, body.paused], [false, true]);
});
