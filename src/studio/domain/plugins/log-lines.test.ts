import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CallCount,
  callsIn,
  entityOf,
  filterOf,
  LOG_VIEWS,
  type LogLine,
  logSearchOf,
  logViewIn,
  totalsOf,
} from './log-lines.ts';

const line = (seq: number, more: Partial<LogLine> = {}): LogLine => ({
  seq,
  at: '2026-03-02T10:15:00.000Z',
  level: 'info',
  kind: 'said',
  message: `line ${seq}`,
  call: 'on-entity-save',
  about: 'character/mira',
  took_ms: 3,
  ...more,
});

test('lines of one call stand together in their order, newest calls first', () => {
  const lines = [
    line(6, { call: null, about: null, took_ms: null }),
    line(5, { call: null, about: null, took_ms: null }),
    line(4, { about: 'character/tam' }),
    line(3),
    line(2),
    line(1, { took_ms: 4 }),
  ];
  const seqs = callsIn(lines).map((call) => call.map(({ seq }) => seq));
  assert.deepEqual(seqs, [[6], [5], [4], [2, 3], [1]]);
  assert.deepEqual(callsIn([]), []);
});

test('a call of a hook is about an entity, one of a route about none', () => {
  assert.deepEqual(entityOf(line(1)), { type: 'character', id: 'mira' });
  assert.equal(entityOf(line(1, { call: 'handle-request', about: 'GET /a/b' })), null);
  assert.equal(entityOf(line(1, { about: null })), null);
  assert.equal(entityOf(line(1, { about: 'character/' })), null);
});

test('each view has an address, and an unknown one is the whole log', () => {
  for (const view of LOG_VIEWS) assert.equal(logViewIn(logSearchOf(view)), view);
  assert.equal(logViewIn('?log=other'), 'all');
  assert.deepEqual(filterOf('all'), {});
  assert.deepEqual(filterOf('warnings'), { level: 'warn' });
  assert.deepEqual(filterOf('failed'), { kind: 'failed' });
});

test('counts of all calls add up, with the latest of their times', () => {
  const count = (more: Partial<CallCount>): CallCount => ({
    call: 'on-entity-save',
    calls: 1,
    failed: 0,
    mean_ms: 1,
    slowest_ms: 2,
    last_at: '2026-03-02T10:15:00.000Z',
    last_failed_at: null,
    ...more,
  });
  const later = '2026-03-03T10:15:00.000Z';
  const failed = { failed: 2, last_failed_at: '2026-02-01T00:00:00.000Z' };
  assert.deepEqual(totalsOf([count({ calls: 4, last_at: later }), count({ calls: 3, ...failed })]), {
    calls: 7,
    failed: 2,
    lastAt: later,
    lastFailedAt: failed.last_failed_at,
  });
  assert.deepEqual(totalsOf([]), { calls: 0, failed: 0, lastAt: null, lastFailedAt: null });
});
