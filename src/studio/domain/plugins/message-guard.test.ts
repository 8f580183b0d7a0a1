import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMessageGuard, createPace, LONGEST_BUSY_MS, MOST_A_SECOND } from './message-guard.ts';

function guardAt(start: number) {
  let time = start;
  const { judge, addCost } = createMessageGuard(() => time);
  return {
    /** The verdicts of a second with so many messages. */
    second(messages: number, cost = { ms: 0, isTooLarge: false }) {
      const began = time;
      const verdicts = Array.from({ length: messages }, () => {
        const verdict = judge();
        if (verdict === 'take') addCost(cost);
        time += cost.ms;
        return verdict;
      });
      time = Math.max(time, began + 1_000);
      return {
        taken: verdicts.filter((verdict) => verdict === 'take').length,
        isStopped: verdicts.includes('stop'),
      };
    },
    /** Nothing is sent. */
    rest(seconds: number) {
      time += seconds * 1_000;
    },
  };
}

test('what is more than 50 messages in a second is dropped', () => {
  const guard = guardAt(5_000);
  assert.deepEqual(guard.second(120), { taken: MOST_A_SECOND, isStopped: false });
  assert.deepEqual(guard.second(MOST_A_SECOND), { taken: MOST_A_SECOND, isStopped: false });
});

test('ten seconds of too many end in a stop', () => {
  const guard = guardAt(0);
  for (let second = 0; second < 10; second += 1) assert.equal(guard.second(51).isStopped, false);
  assert.equal(guard.second(1).isStopped, true);
});

test('a quiet second makes up for one of a flood, and not for all', () => {
  const guard = guardAt(0);
  for (let second = 0; second < 9; second += 1) guard.second(51);
  guard.second(10);
  for (let second = 0; second < 2; second += 1) assert.equal(guard.second(51).isStopped, false);
  assert.equal(guard.second(51).isStopped, true);

  const other = guardAt(0);
  for (let second = 0; second < 9; second += 1) other.second(51);
  other.rest(9);
  for (let second = 0; second < 10; second += 1) assert.equal(other.second(51).isStopped, false);
});

test('bursts with seconds of rest are no flood', () => {
  const guard = guardAt(0);
  for (let burst = 0; burst < 30; burst += 1) {
    assert.equal(guard.second(60).isStopped, false);
    guard.rest(1);
  }
});

test('time counts as a flood, also where one message takes seconds', () => {
  const busy = guardAt(0);
  for (let second = 0; second < 10; second += 1)
    assert.deepEqual(busy.second(10, { ms: 100, isTooLarge: false }), { taken: 10, isStopped: false });
  assert.equal(busy.second(1).isStopped, true);

  const slow = guardAt(0);
  for (let message = 0; message < 3; message += 1)
    assert.equal(slow.second(1, { ms: 4_000, isTooLarge: false }).isStopped, false);
  assert.equal(slow.second(1).isStopped, true);

  const usual = guardAt(0);
  for (let second = 0; second < 30; second += 1)
    assert.equal(usual.second(40, { ms: LONGEST_BUSY_MS / 40, isTooLarge: false }).isStopped, false);
});

test('a message that is too large makes its second one of a flood', () => {
  const guard = guardAt(0);
  for (let second = 0; second < 10; second += 1)
    assert.equal(guard.second(1, { ms: 0, isTooLarge: true }).isStopped, false);
  assert.equal(guard.second(1).isStopped, true);
});

test('a pace gives so many, and more as time passes', () => {
  let time = 0;
  const may = createPace(() => time, { most: 2, withinMs: 100 });
  assert.deepEqual([may(), may(), may()], [true, true, false]);
  time = 100;
  assert.equal(may(), true);
});
