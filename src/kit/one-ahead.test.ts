import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { oneAhead } from './one-ahead.ts';

async function* counted(made: number[], failAt = Number.POSITIVE_INFINITY): AsyncGenerator<number> {
  for (let number = 1; number <= 3; number += 1) {
    if (number === failAt) throw new Error(`no ${number}`);
    made.push(number);
    yield number;
  }
}

it('makes the next item while one is worked on, and no more', async () => {
  const made: number[] = [];
  const seen: number[][] = [];
  for await (const item of oneAhead(counted(made))) {
    seen.push([item, ...made]);
    await turn();
    await turn();
    seen.push([item, ...made]);
  }
  assert.deepEqual(seen, [
    [1, 1],
    [1, 1, 2],
    [2, 1, 2],
    [2, 1, 2, 3],
    [3, 1, 2, 3],
    [3, 1, 2, 3],
  ]);
});

it('tells of what failed once all before it was worked on', async () => {
  const seen: number[] = [];
  const work = async () => {
    for await (const item of oneAhead(counted([], 3))) {
      seen.push(item);
      await turn();
      await turn();
    }
  };
  await assert.rejects(work, /no 3/);
  assert.deepEqual(seen, [1, 2]);
});

it('ends with whoever takes no more', async () => {
  const made: number[] = [];
  for await (const item of oneAhead(counted(made))) if (item === 1) break;
  await turn();
  await turn();
  assert.deepEqual(made, [1]);
});
