import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRunQueue, type SyncRequest } from './run-queue.ts';

const FULL: SyncRequest = { scope: { kind: 'full' }, force: false, origin: 'caller' };

test('who asks while a run is under way shares it; who asks with its result in hand gets a new one', async () => {
  let runs = 0;
  const queue = createRunQueue(async () => {
    runs += 1;
    await Promise.resolve();
    return runs;
  });
  const both = [queue.ask(FULL), queue.ask(FULL)];
  assert.deepEqual(await Promise.all(both), [1, 1]);
  assert.equal(await queue.ask(FULL), 2);
  assert.equal(await queue.ask(FULL), 3);
  await queue.idle();
  assert.equal(queue.isBusy(), false);
});

test('a run that fails is told to who asked and does not stop the next', async () => {
  let runs = 0;
  const queue = createRunQueue(async () => {
    runs += 1;
    if (runs === 1) throw new Error('no disk');
    return runs;
  });
  await assert.rejects(queue.ask(FULL), /no disk/);
  assert.equal(await queue.ask(FULL), 2);
});
