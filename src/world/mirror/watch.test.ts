import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { until } from '../../../test/support/until.ts';
import type { BusEvent } from '../../platform/bus/bus.ts';

describe('a watched folder', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ watch: true });
  });
  after(() => core.close());

  const at = (path: string) => join(core.contentDir, path);
  const put = (path: string, text: string) => saveFile(at(path), text);
  const putCharacter = (id: string, name = id) =>
    put(`Characters/${id}/CH_${id}.md`, `---\nid: ${id}\nname: ${name}\n---\n`);
  const get = (id: string, type = 'character') =>
    core.call<{ name: string; version: number; fields: Record<string, unknown> }>(
      'GET',
      `/api/entity/${type}/${id}`,
    );

  test('an edit is visible soon', async () => {
    putCharacter('ada');
    await until(async () => (await get('ada')).status === 200);
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const started = performance.now();
      putCharacter('ada', `Round ${round}`);
      await until(async () => (await get('ada')).body.name === `Round ${round}`);
      times.push(performance.now() - started);
    }
    // Only the fastest counts: other work on this machine slows the rest.
    assert.ok(Math.min(...times) < 1_000, `${times} ms`);
  });

  test('a deleted folder, a renamed one and a removed asset are followed', async () => {
    for (const id of ['bob', 'cleo', 'dora', 'eve', 'finn']) putCharacter(id);
    await until(async () => (await get('finn')).status === 200);
    rmSync(at('Characters/bob'), { recursive: true });
    await until(async () => (await get('bob')).status === 404);
    put('Characters/cleo/CH_cleo.md', '---\nname: Cleo\n---\n');
    await until(async () => (await get('cleo')).body.name === 'Cleo');
    renameSync(at('Characters/cleo'), at('Characters/cleopatra'));
    await until(async () => (await get('cleopatra')).status === 200 && (await get('cleo')).status === 404);
  });

  test('an editor that removes a file before it writes it anew keeps the entity', async () => {
    putCharacter('gina');
    await until(async () => (await get('gina')).status === 200);
    rmSync(at('Characters/gina/CH_gina.md'));
    // Half of an editor's grace period, by a timer that was set first: it ends first on a busy machine, too.
    await pause(100);
    putCharacter('gina', 'Gina again');
    await until(async () => (await get('gina')).body.name === 'Gina again');
    assert.equal((await get('gina')).body.version, 2);
  });

  test('a template that is dropped in is a type with its entities', async () => {
    put('Ships/nautilus/SHIP_nautilus.md', '---\nid: nautilus\nname: Nautilus\n---\n');
    put('_Templates/Custom/SHIP_TEMPLATE.md', '---\nentity_type: ship\ncrew: 12\n---\n');
    await until(async () => (await get('nautilus', 'ship')).body.fields?.crew === 12);
  });

  test('a layout that changes is an event, and one that is as before is none', async () => {
    for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
    await core.bus.idle();
    const events: BusEvent[] = [];
    const unsubscribe = core.bus.onAny((event) => void events.push(event));
    const syncs = () => events.filter(({ type }) => type === 'sync_completed').length;
    const path = '_Templates/Layouts/character.layout.json';
    put(path, '{"sections":[],"hidden":[]}');
    await until(() => syncs() === 1);
    put(path, '{"sections":[],"hidden":["species"]}');
    await until(() => syncs() === 2);
    // Seen after the layout that is written once more.
    put(path, '{"sections":[],"hidden":["species"]}');
    putCharacter('ada', 'Ada, after a layout');
    await until(async () => (await get('ada')).body.name === 'Ada, after a layout');
    rmSync(at(path));
    await until(() => syncs() === 4);
    unsubscribe();
  });

  test('own writes are no change, outside ones are events', async () => {
    for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
    await core.bus.idle();
    const events: BusEvent[] = [];
    const unsubscribe = core.bus.onAny((event) => void events.push(event));
    const syncs = () => events.filter(({ type }) => type === 'sync_completed');
    await core.call('POST', '/api/entity/character', { body: { entity_id: 'hugo', name: 'Hugo' } });
    // Seen after our own write has ended.
    putCharacter('ada', 'Ada, afterwards');
    await until(() => syncs().length === 1);
    putCharacter('hugo', 'Hugo the Second');
    await until(() => syncs().length === 2);
    unsubscribe();
    const told = events.filter(({ entity_id }) => entity_id === 'hugo');
    assert.deepEqual(
      told.map(({ type, action, updated_by }) => [type, action, updated_by !== null]),
      [
        ['entity_updated', 'create', true],
        ['entity_updated', 'update', false],
      ],
    );
    assert.deepEqual(
      syncs().map(({ entities_synced }) => entities_synced),
      [1, 1],
    );
  });

  test('the watcher’s status is open to anyone', async () => {
    const status = await core.call<{ running: boolean; backend: string; events_seen: number }>(
      'GET',
      '/api/sync/file-watcher/status',
      { token: null },
    );
    assert.deepEqual([status.status, status.body.running], [200, true]);
    assert.ok(status.body.events_seen > 0);
  });
});
