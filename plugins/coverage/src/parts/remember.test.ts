import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeRecords } from '../../../kit/testing/fake-calls.ts';
import { packed, recall, remember, unpacked } from './remember.ts';
import type { RankedEntry, Result } from './tally.ts';

const entry = (at: number): RankedEntry => ({
  type: 'character',
  id: `entry_${at}`,
  name: `An entry with a name ${'ü'.repeat(200)}`,
  words: at,
  filled: 1,
  fields: 3,
});

const result = (ranked: number, fields: number): Result => ({
  at: '2026-11-28T12:00:00.000Z',
  isWhole: true,
  types: [
    {
      type: 'character',
      label: 'Characters',
      total: 2,
      read: 2,
      words: 10,
      minutes: 0.5,
      withText: 1,
      fields: Array.from({ length: fields }, (_, at) => ({
        name: `f${at}`,
        label: `Field ${at}`,
        isRequired: at === 0,
        filled: 1,
      })),
    },
  ],
  longest: Array.from({ length: ranked }, (_, at) => entry(at)),
  emptiest: Array.from({ length: ranked }, (_, at) => entry(at)),
});

test('the last result is there the next time', async () => {
  const { call, all } = fakeRecords();
  assert.equal(await recall(call), null);
  assert.equal(await remember(call, result(2, 3)), true);
  assert.equal(await remember(call, result(3, 4)), true);
  assert.equal(all().length, 1);
  assert.deepEqual(await recall(call), result(3, 4));
});

test('what is too large is stored with shorter lists, or not at all', async () => {
  const size = (data: unknown) => Buffer.byteLength(JSON.stringify(data));
  const data = packed(result(100, 30));
  assert.ok(size(data) <= 60_000 && size(result(100, 30)) > 64 * 1024);
  assert.ok((unpacked(data)?.longest.length ?? 0) > 10);
  assert.equal(packed(result(0, 2_000)), null);
  assert.equal(await remember(fakeRecords().call, result(0, 2_000)), false);
});

test('data of another form is no result', () => {
  for (const other of [null, {}, { format: 2, at: '2026-11-28' }, { format: 1, at: 'soon' }])
    assert.equal(unpacked(other), null);
});
