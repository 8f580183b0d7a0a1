import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallTimer } from './call-timer.ts';

const LIMIT_MS = 20;

/** The end of a guest's time, for one that works so long in so many milliseconds. */
async function overAfter(workedIn: (ms: number) => number) {
  const since = performance.now();
  let looks = 0;
  const whose = await new Promise<string>((resolve) => {
    createCallTimer({
      limitMs: LIMIT_MS,
      async workedMs() {
        looks += 1;
        return workedIn(performance.now() - since);
      },
      isOver: resolve,
    });
  });
  return { whose, looks, ms: performance.now() - since };
}

test('a guest that works all the time has its limit, one that a busy machine lets wait has longer, and none has no end', async () => {
  // A timer may fire a fraction of a millisecond early.
  const working = await overAfter((ms) => ms + 1);
  assert.deepEqual([working.whose, working.looks], ['guest', 1]);
  const waiting = await overAfter((ms) => ms / 2);
  assert.ok(waiting.ms >= 2 * LIMIT_MS, `${waiting.ms}`);
  const asleep = await overAfter(() => 0);
  assert.ok(asleep.ms >= 4 * LIMIT_MS - 1, `${asleep.ms}`);
});

test('a guest that lets nobody ask how much it has worked has its limit, and as long again for the question', async () => {
  const since = performance.now();
  await new Promise<string>((resolve) => {
    createCallTimer({ limitMs: LIMIT_MS, workedMs: () => new Promise(() => {}), isOver: resolve });
  });
  assert.ok(performance.now() - since >= 2 * LIMIT_MS - 1);
});

test('a thread that ends while it is asked has no time left', async () => {
  const over = await new Promise<string>((resolve) => {
    createCallTimer({
      limitMs: LIMIT_MS,
      workedMs: async () => Promise.reject(new Error('gone')),
      isOver: resolve,
    });
  });
  assert.equal(over, 'guest');
});

test('the host has its own limit, whatever the guest has worked', async () => {
  const over = await new Promise<string>((resolve) => {
    const timer = createCallTimer({ limitMs: LIMIT_MS, workedMs: async () => 0, isOver: resolve });
    timer.turnTo('host');
  });
  assert.equal(over, 'host');
});

test('a call that has ended is not over', async () => {
  const ended: string[] = [];
  const asked = Promise.withResolvers<void>();
  const timer = createCallTimer({
    limitMs: LIMIT_MS,
    async workedMs() {
      timer.stop();
      asked.resolve();
      return LIMIT_MS;
    },
    isOver: (whose) => ended.push(whose),
  });
  await asked.promise;
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS));
  assert.deepEqual(ended, []);
});
