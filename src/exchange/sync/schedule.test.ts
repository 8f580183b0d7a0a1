import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createSchedule, SYNC_PAUSES } from './schedule.ts';
import type { SyncError } from './sync.contract.ts';

const LOST: SyncError = { code: 'unreachable', message: 'The cloud does not answer', at: '' };

function startedSchedule(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let rounds = 0;
  const schedule = createSchedule({ clock: { now: () => 0 }, pauses: SYNC_PAUSES }, () => {
    rounds += 1;
    schedule.began();
  });
  schedule.start();
  t.mock.timers.tick(0);
  assert.equal(rounds, 1);
  /** The number of rounds that begin within this time. */
  const within = (ms: number): number => {
    const before = rounds;
    t.mock.timers.tick(ms);
    return rounds - before;
  };
  return { schedule, within };
}

test('rounds come after a pause, and several hints make one round soon', (t) => {
  const { schedule, within } = startedSchedule(t);
  schedule.after(null);
  assert.equal(within(SYNC_PAUSES.betweenMs - 1), 0);
  assert.equal(within(1), 1);
  schedule.after(null);
  schedule.hint();
  schedule.hint();
  assert.equal(within(SYNC_PAUSES.hintMs), 1);
});

test('a hint that comes while a round runs is followed by another round soon', (t) => {
  const { schedule, within } = startedSchedule(t);
  schedule.hint();
  schedule.after(null);
  assert.equal(within(SYNC_PAUSES.hintMs), 1);
  schedule.after(null);
  assert.equal(within(SYNC_PAUSES.hintMs), 0, 'and it was one hint');
});

test('after failures a hint changes nothing, and the pauses grow', (t) => {
  const { schedule, within } = startedSchedule(t);
  schedule.after(LOST);
  schedule.hint();
  assert.equal(within(SYNC_PAUSES.failureMs * 0.8), 0);
  assert.equal(within(SYNC_PAUSES.failureMs * 0.4), 1);
  schedule.after(LOST);
  assert.equal(within(SYNC_PAUSES.failureMs * 1.5), 0);
});
