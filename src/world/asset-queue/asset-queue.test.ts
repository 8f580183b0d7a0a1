import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type AssetWorld, picture, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';
import { assetProcessed } from '../assets/asset.events.ts';
import type { QueueEntry, QueueStatus } from './asset-queue.contract.ts';

const MINUTE_MS = 60_000;

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  beforeEach(async () => {
    world = await startAssetWorld({ open });
  });
  afterEach(() => world.close());

  const post = <Body = QueueStatus>(path: string, body: object = {}) =>
    world.core.call<Body>('POST', `/api/asset-queue/${path}`, { body });
  const status = async () => (await world.core.call<QueueStatus>('GET', '/api/asset-queue/status')).body;
  const entry = async (id: string) =>
    (await world.core.call<QueueEntry>('GET', `/api/asset-queue/asset/${id}`)).body;
  const ended = (count: number) =>
    until(async () => {
      const { completed, failed } = await status();
      return completed + failed === count;
    });

  const waiting = (count: number) => until(async () => (await status()).waiting === count);

  async function addPictures(...names: string[]): Promise<void> {
    for (const name of names) world.put(`Assets/${name}.png`, await picture('#336699'));
    await world.scan();
  }

  test('found pictures wait while the queue is paused, and are worked through when it resumes', async () => {
    assert.equal((await status()).status, 'idle');
    const paused = (await post('pause')).body;
    assert.deepEqual([paused.status, paused.paused_indefinitely], ['paused', false]);
    const leftMs = Date.parse(paused.paused_until ?? '') - Date.now();
    assert.ok(leftMs > 9 * MINUTE_MS && leftMs <= 10 * MINUTE_MS, String(leftMs));
    await addPictures('a', 'b');
    await waiting(2);
    const { status: word, completed } = await status();
    assert.deepEqual([word, completed], ['paused', 0]);
    const { id } = await world.at('Assets/a.png');
    assert.deepEqual(
      (await entry(id)).jobs.map(({ processing_type, status }) => [processing_type, status]),
      [['metadata', 'waiting']],
    );
    const forever = (await post('pause', { indefinite: true })).body;
    assert.deepEqual([forever.paused_until, forever.paused_indefinitely], [null, true]);
    const resumed = (await post('resume')).body;
    assert.deepEqual([resumed.paused_until, resumed.paused_indefinitely], [null, false]);
    await ended(2);
    assert.equal((await world.at('Assets/a.png')).width, 64);
    assert.equal((await entry(id)).jobs[0]?.status, 'completed');
  });

  test('a pause ends by itself', async () => {
    await post('pause', { duration_seconds: 1 });
    await addPictures('a');
    await ended(1);
  });

  test('each end is told, a failed one with its reason', async () => {
    const told: object[] = [];
    const stop = world.core.bus.on(assetProcessed, ({ timestamp: _, ...event }, { projectId }) => {
      told.push({ ...event, projectId });
    });
    world.put('Characters/mira/images/face.png', await picture('#336699'));
    world.put('Assets/torn.png', (await picture('#336699')).subarray(0, 60));
    await world.scan();
    await until(async () => told.length === 2);
    stop();
    const [face, torn] = [
      await world.at('Characters/mira/images/face.png'),
      await world.at('Assets/torn.png'),
    ];
    const event = {
      type: 'asset_processed',
      projectId: 'default',
      processing_type: 'metadata',
    };
    const mira = { entity_type: 'character', entity_id: 'mira' };
    const nobody = { entity_type: null, entity_id: null };
    const byId = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
    const expected = [
      { ...event, asset_id: face.id, ...mira, status: 'completed' },
      { ...event, asset_id: torn.id, ...nobody, status: 'failed' },
    ];
    const sorted = (events: object[]) =>
      events.map((each) => Object.fromEntries(Object.entries(each).sort())).sort(byId);
    assert.deepEqual(sorted(told), sorted(expected));
    const [failed] = (await entry(torn.id)).jobs;
    assert.deepEqual([failed?.status, failed?.attempts], ['failed', 1]);
    assert.ok(failed?.error);
  });

  test('one asset, some or all are worked through anew; those that are not there are named', async () => {
    await addPictures('a', 'b');
    await ended(2);
    await post('pause', { indefinite: true });
    const [a, b] = [await world.at('Assets/a.png'), await world.at('Assets/b.png')];
    const one = (await post<QueueEntry>(`rescan/${a.id}`)).body;
    assert.deepEqual([one.asset_id, one.jobs[0]?.status], [a.id, 'waiting']);
    const some = await post<{ assets: number; missing: string[]; queue: QueueStatus }>('batch-rescan', {
      asset_ids: [a.id, b.id, b.id, 'none'],
    });
    assert.deepEqual([some.body.assets, some.body.missing], [2, ['none']]);
    assert.deepEqual([some.body.queue.waiting, some.body.queue.completed], [2, 0]);
    const all = await post<{ assets: number; queue: QueueStatus }>('batch-rescan');
    assert.deepEqual([all.body.assets, all.body.queue.waiting], [2, 2]);
    await post('resume');
    await ended(2);
    assert.equal((await post('rescan/none')).status, 404);
    assert.equal((await world.core.call('GET', '/api/asset-queue/asset/none')).status, 404);
  });

  test('short graphics memory slows the queue or halts it for a while', async () => {
    const critical = (await post('vram-pressure', { level: 'critical' })).body;
    assert.deepEqual([critical.status, critical.max_concurrent], ['slowed', 0]);
    const leftMs = Date.parse(critical.slowed_until ?? '') - Date.now();
    assert.ok(leftMs > MINUTE_MS / 2 && leftMs <= MINUTE_MS, String(leftMs));
    await addPictures('a');
    await waiting(1);
    assert.equal((await post('vram-pressure', { level: 'high' })).body.max_concurrent, 1);
    await ended(1);
    const normal = (await post('vram-pressure', { level: 'normal' })).body;
    assert.deepEqual([normal.status, normal.slowed_until, normal.max_concurrent], ['idle', null, null]);
  });
});
