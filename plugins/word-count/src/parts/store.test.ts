import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeRecords } from '../../../kit/testing/fake-calls.ts';
import { loadDays, loadGoal, saveDay, saveGoal } from './store.ts';

const MIRA = { entity_type: 'character', entity_id: 'mira' };
const day = (at: string, start: number, words: number) => ({
  entity: 'character/mira',
  day: at,
  start,
  words,
});

test('a day of an entry is one record, however often it is stored', async () => {
  const { call, all } = fakeRecords();
  await saveDay(call, MIRA, day('2026-11-27', 0, 10));
  await saveDay(call, MIRA, day('2026-11-28', 10, 15));
  await saveDay(call, MIRA, day('2026-11-28', 10, 20));
  assert.equal(all().length, 2);
  assert.deepEqual(await loadDays(call, '2026-11-01'), [day('2026-11-27', 0, 10), day('2026-11-28', 10, 20)]);
});

test('records are read up to the first day that counts, and what is none of ours is left', async () => {
  const { call } = fakeRecords();
  for (let at = 0; at < 450; at += 1) {
    const address = { ...MIRA, entity_id: `c${at}` };
    await saveDay(call, address, day(at < 250 ? '2026-10-01' : '2026-11-28', 0, 1));
  }
  await call('data.create', { record_type: 'days', data: { ...MIRA, day: 7, words: -3 } });
  const days = await loadDays(call, '2026-11-15');
  assert.equal(days.filter((one) => one.day === '2026-11-28').length, 200);
  assert.ok(days.length <= 450);
});

test('an entry has one goal, which can be taken back', async () => {
  const { call, all } = fakeRecords();
  const none = await loadGoal(call, MIRA);
  assert.deepEqual(none, { recordId: null, words: null });
  const first = await saveGoal(call, MIRA, { ...none, words: 500 });
  const second = await saveGoal(call, MIRA, { ...first, words: 800 });
  assert.deepEqual(await loadGoal(call, MIRA), second);
  assert.equal(all().length, 1);
  assert.deepEqual(await saveGoal(call, MIRA, { ...second, words: null }), none);
  assert.equal(all().length, 0);
  assert.deepEqual(await saveGoal(call, MIRA, none), none);
});
