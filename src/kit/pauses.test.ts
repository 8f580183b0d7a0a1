import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPauses } from './pauses.ts';

const SLICE_MS = 10;

function work(): void {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until);
}

test('long works of the same moment take turns, with other work between any two of them', async () => {
  let turn = 0;
  let goesOn = true;
  const count = () => {
    turn += 1;
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const run = async () => {
    const pause = createPauses();
    work();
    await pause();
    turns.push(turn);
    work();
  };
  await Promise.all(Array.from({ length: 5 }, run));
  goesOn = false;
  assert.equal(new Set(turns).size, 5, String(turns));
});

test('work whose caller has gone ends at the next pause', async () => {
  const pause = createPauses(AbortSignal.abort(new Error('gone')));
  work();
  await assert.rejects(async () => pause(), /gone/);
});
