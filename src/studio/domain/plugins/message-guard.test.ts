import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMessageGuard, createPace, MOST_A_SECOND } from './message-guard.ts';

function guardAt(start: number) {
  let time = start;
  const judge = createMessageGuard(() => time);
  return {
    /** The verdicts of a second with so many messages. */
    second(messages: number) {
      const verdicts = Array.from({ length: messages }, judge);
      time += 1_000;
      return {
        taken: verdicts.filter((verdict) => verdict === 'take').length,
        isStopped: verdicts.includes('stop'),
      };
    },
  };
}

test('what is more than 50 messages in a second is dropped', () => {
  const guard = guardAt(5_000);
  assert.deepEqual(guard.second(120), { taken: MOST_A_SECOND, isStopped: false });
  assert.deepEqual(guard.second(MOST_A_SECOND), { taken: MOST_A_SECOND, isStopped: false });
});

test('ten seconds of too many end in a stop, and a quiet second begins anew', () => {
  const guard = guardAt(0);
  for (let second = 0; second < 10; second += 1) assert.equal(guard.second(51).isStopped, false);
  assert.equal(guard.second(1).isStopped, true);

  const other = guardAt(0);
  for (let second = 0; second < 9; second += 1) other.second(51);
  other.second(10);
  for (let second = 0; second < 10; second += 1) assert.equal(other.second(51).isStopped, false);
  assert.equal(other.second(51).isStopped, true);
});

test('seconds without a message do not count as a flood', () => {
  let time = 0;
  const judge = createMessageGuard(() => time);
  for (let burst = 0; burst < 30; burst += 1) {
    for (let message = 0; message < 60; message += 1) assert.notEqual(judge(), 'stop');
    time += 2_000;
  }
});

test('a pace gives so many, and more as time passes', () => {
  let time = 0;
  const may = createPace(() => time, { most: 2, withinMs: 100 });
  assert.deepEqual([may(), may(), may()], [true, true, false]);
  time = 100;
  assert.equal(may(), true);
});
