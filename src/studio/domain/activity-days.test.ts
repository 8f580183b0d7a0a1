import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, daysOf } from './activity-days.ts';

const change = (at: string, more: Partial<Change> = {}): Change => ({
  what: 'changed',
  at: new Date(at).toISOString(),
  by: 'ada',
  operation_id: null,
  ...more,
});
const sizes = (changes: readonly Change[]) =>
  daysOf(changes).map(({ runs }) => runs.map((run) => run.changes.length));

test('changes stand under the days of the user’s own time', () => {
  const days = daysOf([
    change('2026-03-03T00:00:01'),
    change('2026-03-02T23:59:59'),
    change('2026-03-02T08:00:00'),
  ]);
  assert.deepEqual(
    days.map(({ start }) => start),
    [new Date('2026-03-03T00:00:00').getTime(), new Date('2026-03-02T00:00:00').getTime()],
  );
  assert.deepEqual(
    days.map(({ runs }) => runs.length),
    [1, 2],
  );
});

test('what one operation changed is one line, however long it took', () => {
  const operation_id = 'op';
  const many = ['10:00', '09:00', '08:00', '07:00'].map((at) =>
    change(`2026-03-02T${at}:00`, { operation_id }),
  );
  assert.deepEqual(sizes([change('2026-03-02T11:00:00'), ...many]), [[1, 4]]);
});

test('four and more of the same kind, by the same person and at one go, are one line', () => {
  const at = (second: number) => change(`2026-03-02T10:00:${second}`);
  assert.deepEqual(sizes([at(40), at(30), at(20), at(10)]), [[4]]);
  assert.deepEqual(sizes([at(40), at(30), at(20)]), [[1, 1, 1]]);
  const other = change('2026-03-02T10:00:15', { by: null });
  assert.deepEqual(sizes([at(40), at(30), other, at(20), at(10)]), [[1, 1, 1, 1, 1]]);
  const kinds = [change('2026-03-02T10:00:15', { what: 'deleted' }), at(14), at(13), at(12)];
  assert.deepEqual(sizes(kinds), [[1, 1, 1, 1]]);
});

test('long pauses part what one person did', () => {
  const at = ['10:06', '10:04', '10:02', '10:00'].map((time) => change(`2026-03-02T${time}:00`));
  assert.deepEqual(sizes(at), [[1, 1, 1, 1]]);
});
