import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createMemoryFiles } from '../../../test/support/memory-files.ts';
import { until } from '../../../test/support/until.ts';
import { MEMORY } from '../../kit/contract.ts';
import { createWorkBudget } from '../../kit/work-budget.ts';
import { createLocks } from '../../platform/database/locks.ts';
import { createMadeFiles } from './made-files.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Locks of several processes. */
const locksOfAll = () => {
  const { run } = createLocks();
  return {
    tenant: (tenantId: string) => ({
      exclusive: <R>(key: string, work: () => Promise<R>) => run(`${tenantId} ${key}`, work),
    }),
  };
};
const scope = { tenantId: 'local', projectId: 'default' };
const sourceOf = (digit: string) => ({ scope, sha256: digit.repeat(64) });

function start() {
  let now = Date.parse('2026-03-02T10:00:00Z');
  const made = createMadeFiles({
    files: createMemoryFiles().files,
    locks: locksOfAll(),
    holdBytes: async () => () => {},
    clock: { now: () => now },
  });
  const isThere = async (digit: string) => (await made.open(sourceOf(digit), 'x')) !== undefined;
  return {
    made,
    isThere,
    make: (digit: string) =>
      made.ensure(sourceOf(digit), ['x'], async () => [{ name: 'x', bytes: Buffer.from(digit) }]),
    sweep: (kept: string) => made.sweep(scope, async () => new Set([sourceOf(kept).sha256])),
    passHours: (hours: number) => {
      now += hours * HOUR_MS;
    },
  };
}

test('files of bytes that nobody has any more go, once a day', async () => {
  const { make, sweep, isThere, passHours } = start();
  await make('a');
  await make('b');
  await sweep('a');
  assert.deepEqual([await isThere('a'), await isThere('b')], [true, false]);
  await make('b');
  passHours(23);
  await sweep('a');
  assert.equal(await isThere('b'), true);
  passHours(1);
  await sweep('a');
  assert.deepEqual([await isThere('a'), await isThere('b')], [true, false]);
});

test('those who wait for what cannot be made hear why, and the next one tries anew', async () => {
  const { made, make, isThere } = start();
  let tries = 0;
  const failing = () =>
    made.ensure(sourceOf('a'), ['x'], async () => {
      tries += 1;
      throw new Error('damaged');
    });
  const results = await Promise.allSettled([failing(), failing(), failing()]);
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.equal(tries, 1);
  await make('a');
  assert.equal(await isThere('a'), true);
});

test('two processes that are asked for the same at once make it once', async () => {
  const shared = {
    files: createMemoryFiles().files,
    locks: locksOfAll(),
    holdBytes: async () => () => {},
    clock: { now: () => 0 },
  };
  let made = 0;
  const ask = () =>
    createMadeFiles(shared).ensure(sourceOf('a'), ['x'], async () => {
      made += 1;
      await turn();
      return [{ name: 'x', bytes: Buffer.from('a') }];
    });
  await Promise.all([ask(), ask(), ask()]);
  assert.equal(made, 1);
});

test('no more are made at a time than there is memory for, and what is there already waits for none', async () => {
  const made = createMadeFiles({
    files: createMemoryFiles().files,
    locks: locksOfAll(),
    holdBytes: createWorkBudget({ bytes: 2 * MEMORY.ofPicture, bytesOfTenant: 2 * MEMORY.ofPicture }),
    clock: { now: () => 0 },
  });
  const ready = Promise.withResolvers<void>();
  let [making, most] = [0, 0];
  const make = (digit: string, whenReady = Promise.resolve()) =>
    made.ensure(sourceOf(digit), ['x'], async () => {
      making += 1;
      most = Math.max(most, making);
      await whenReady;
      making -= 1;
      return [{ name: 'x', bytes: Buffer.from(digit) }];
    });
  await make('a');
  const others = ['b', 'c', 'd', 'e'].map((digit) => make(digit, ready.promise));
  await until(() => making === 2);
  await make('a');
  ready.resolve();
  await Promise.all(others);
  assert.equal(most, 2);
});
