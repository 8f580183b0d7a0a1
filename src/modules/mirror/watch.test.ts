import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import type { BusEvent } from '../../platform/bus/bus.ts';

const PATIENCE_MS = 10_000;

describe('a watched folder', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ watch: true });
    for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
  });
  after(() => core.close());

  const at = (path: string) => join(core.contentDir, path);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const putCharacter = (id: string, name = id) =>
    put(`Characters/${id}/CH_${id}.md`, `---\nid: ${id}\nname: ${name}\n---\n`);
  const get = (id: string, type = 'character') =>
    core.call<{ name: string; version: number; fields: Record<string, unknown> }>(
      'GET',
      `/api/entity/${type}/${id}`,
    );
  /** Milliseconds until it holds. */
  const until = async (holds: () => Promise<boolean>): Promise<number> => {
    const started = performance.now();
    while (!(await holds())) {
      if (performance.now() - started > PATIENCE_MS) throw new Error('it never happened');
      await pause(5);
    }
    return performance.now() - started;
  };

  test('an edit is visible soon', async () => {
    putCharacter('ada');
    await until(async () => (await get('ada')).status === 200);
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      putCharacter('ada', `Round ${round}`);
      times.push(await until(async () => (await get('ada')).body.name === `Round ${round}`));
    }
    times.sort((a, b) => a - b);
    assert.ok((times[3] ?? Number.NaN) < 1_000, `median ${times[3]} ms`);
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

  test('own writes are no change, outside ones are events', async () => {
    for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
    await core.bus.idle();
    const events: BusEvent[] = [];
    const unsubscribe = core.bus.subscribe((_tenant, event) => void events.push(event));
    await core.call('POST', '/api/entity/character', { body: { entity_id: 'hugo', name: 'Hugo' } });
    await pause(300);
    for (const project of core.projects.opened()) await core.mirror.whenSettled(project);
    await core.bus.idle();
    assert.deepEqual(
      events.map(({ type, entity_id, updated_by }) => [type, entity_id, updated_by !== null]),
      [['entity_updated', 'hugo', true]],
    );
    putCharacter('hugo', 'Hugo the Second');
    await until(async () => (await get('hugo')).body.version === 2);
    await until(async () => events.length === 3);
    unsubscribe();
    assert.deepEqual(
      events.slice(1).map(({ type, action, entities_synced }) => [type, action, entities_synced]),
      [
        ['entity_updated', 'update', undefined],
        ['sync_completed', undefined, 1],
      ],
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
