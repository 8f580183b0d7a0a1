import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { type KeyValue, KeyValueUnavailable } from './kv.ts';

export function keyValueConformance(name: string, makeStore: (t: TestContext) => Promise<KeyValue>): void {
  describe(`key-value: ${name}`, () => {
    it('gives back what was set, and replaces it', async (t) => {
      const store = await makeStore(t);
      assert.equal(await store.get('a'), undefined);
      await store.set('a', 'one', { ttlMs: 60_000 });
      await store.set('a', 'zwölf\n', { ttlMs: 60_000 });
      await store.set('empty', '', { ttlMs: 60_000 });
      assert.equal(await store.get('a'), 'zwölf\n');
      assert.equal(await store.get('empty'), '');
    });

    it('forgets a value after its time', async (t) => {
      const store = await makeStore(t);
      await store.set('taken', 'x', { ttlMs: 40 });
      await store.set('short', 'x', { ttlMs: 40 });
      await store.set('long', 'y', { ttlMs: 60_000 });
      await until(async () => (await store.get('short')) === undefined);
      assert.equal(await store.take('taken'), undefined);
      assert.equal(await store.get('long'), 'y');
    });

    it('lets one of many parallel takers have the value', async (t) => {
      const store = await makeStore(t);
      await store.set('code', 'secret', { ttlMs: 60_000 });
      const taken = await Promise.all(Array.from({ length: 30 }, () => store.take('code')));
      assert.deepEqual(
        taken.filter((value) => value !== undefined),
        ['secret'],
      );
      assert.equal(await store.get('code'), undefined);
    });

    it('counts every one of many parallel calls once, in a window that does not move', async (t) => {
      const store = await makeStore(t);
      const before = Date.now();
      const windows = await Promise.all(
        Array.from({ length: 50 }, () => store.increment('address', { ttlMs: 60_000 })),
      );
      const counts = windows.map((window) => window.count).sort((x, y) => x - y);
      assert.deepEqual(
        counts,
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      for (const { resetAtMs } of windows) {
        assert.ok(resetAtMs > before + 59_000 && resetAtMs < Date.now() + 60_500, String(resetAtMs - before));
      }
      assert.equal((await store.increment('other', { ttlMs: 60_000 })).count, 1);
    });

    it('begins a new window after the end of the old one, however often it was counted', async (t) => {
      const store = await makeStore(t);
      const counts: number[] = [];
      await until(async () => {
        const { count } = await store.increment('a', { ttlMs: 100 });
        counts.push(count);
        return counts.length > 1 && count === 1;
      });
      assert.deepEqual(
        counts.slice(0, -1),
        counts.slice(0, -1).map((_, index) => index + 1),
      );
    });

    it('keeps counters and values of one name apart', async (t) => {
      const store = await makeStore(t);
      await store.set('a', 'text', { ttlMs: 60_000 });
      assert.equal((await store.increment('a', { ttlMs: 60_000 })).count, 1);
      assert.equal(await store.get('a'), 'text');
    });

    it('lists who joined a group until they leave or their time is over', async (t) => {
      const store = await makeStore(t);
      const long = { ttlMs: 60_000 };
      await store.join('room', 'one', 'first', long);
      await store.join('room', 'one', 'one again', long);
      await store.join('room', 'two', 'two', long);
      await store.join('room', 'short', 'short', { ttlMs: 40 });
      await store.join('other', 'three', 'three', long);
      await store.leave('room', 'two');
      await store.leave('room', 'nobody');
      await until(async () => !(await store.members('room')).includes('short'));
      assert.deepEqual(await store.members('room'), ['one again']);
      assert.deepEqual(await store.members('nowhere'), []);
    });

    it('answers a ping until it is closed, and then nothing', async (t) => {
      const store = await makeStore(t);
      await store.ping();
      await store.close();
      await assert.rejects(store.ping(), KeyValueUnavailable);
      await assert.rejects(store.get('a'), KeyValueUnavailable);
      await store.close();
    });
  });
}
