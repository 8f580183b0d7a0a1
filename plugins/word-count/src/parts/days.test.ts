import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Day, dayOf, joinDays, lastDays, progressOf, startOf, withNow } from './days.ts';

const day = (entity: string, at: string, start: number, words: number): Day => ({
  entity,
  day: at,
  start,
  words,
});
const TODAY = '2026-11-28';
const MIRA = 'character/mira';

test('days are those of the writer, across months', () => {
  assert.equal(dayOf(new Date(2026, 0, 5, 23, 59)), '2026-01-05');
  assert.deepEqual(lastDays(new Date(2026, 2, 1, 12), 3), ['2026-02-27', '2026-02-28', '2026-03-01']);
  assert.deepEqual(lastDays(new Date(2024, 2, 1, 0, 1), 2), ['2024-02-29', '2024-03-01']);
});

test('two records of one day count as one', () => {
  const joined = joinDays([
    day(MIRA, TODAY, 100, 120),
    day(MIRA, TODAY, 120, 150),
    day('item/bell', TODAY, 1, 2),
  ]);
  assert.deepEqual(joined, [day(MIRA, TODAY, 100, 150), day('item/bell', TODAY, 1, 2)]);
});

test('each day has what was added to the entry and to all', () => {
  const days = [day(MIRA, TODAY, 100, 150), day('item/bell', TODAY, 40, 30), day(MIRA, '2026-11-27', 0, 100)];
  assert.deepEqual(progressOf(days, MIRA, ['2026-11-26', '2026-11-27', TODAY]), [
    { day: '2026-11-26', own: 0, all: 0 },
    { day: '2026-11-27', own: 100, all: 100 },
    { day: TODAY, own: 50, all: 40 },
  ]);
});

test('a day begins with what was there', () => {
  const now = { entity: MIRA, today: TODAY, words: 130, savedAt: new Date(2026, 10, 28, 9).toISOString() };
  const before = { ...now, savedAt: new Date(2026, 10, 20).toISOString() };
  assert.equal(startOf([day(MIRA, TODAY, 100, 120)], now), 100, 'what is stored of the day');
  const earlier = [
    day(MIRA, '2026-11-20', 0, 80),
    day(MIRA, '2026-11-19', 0, 10),
    day('item/x', '2026-11-27', 0, 5),
  ];
  assert.equal(startOf(earlier, now), 80, 'it was saved today, so it grew today');
  assert.equal(startOf(earlier, before), 130, 'it grew some other day');
  assert.equal(startOf([], now), 130);
  assert.equal(startOf([], { ...now, savedAt: null }), 130);
});

test('what an entry has now replaces what is stored', () => {
  const stored = [day(MIRA, TODAY, 1, 2), day(MIRA, '2026-11-27', 0, 1)];
  assert.deepEqual(withNow(stored, day(MIRA, TODAY, 1, 9)), [stored[1], day(MIRA, TODAY, 1, 9)]);
});
