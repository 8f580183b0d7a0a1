import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallTimer } from './call-timer.ts';

const LIMIT_MS = 20;

/** Resolves to whose time was over, and after how many milliseconds, for a guest that works for so many in a second. */
async function overAfter(workedIn: (ms: number) => number): Promise<{ whose: string; ms: number }> {
  const since = performance.now();
  const whose = await new Promise<string>((resolve) => {
    createCallTimer({
      limitMs: LIMIT_MS,
      workedMs: async () => workedIn(performance.now() - since),
      isOver: resolve,
    });
  });
  return { whose, ms: performance.now() - since };
}

test('a guest that works all the time has its limit, one that a busy machine lets wait has longer, and none has no end', async () => {
  const working = await overAfter((ms) => ms);
  assert.equal(working.whose, 'guest');
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
