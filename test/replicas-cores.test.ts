import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allEndWell } from './support/replicas/all-end-well.ts';
import { runCases } from './support/replicas/run-cases.ts';

const WITHIN_MS = 90_000;

if (process.env.CANONRY_TEST_POSTGRES !== 'off' && process.env.CANONRY_TEST_REDIS !== 'off') {
  test('a cloud of two cores, which the requests of a round reach in turns, and two installs', (t) =>
    allEndWell(t, { cases: 12, firstSeed: 1, cores: 2, moves: true, withinMs: WITHIN_MS }));
}

// Seeds that end well in replicas.test.ts.
test('a cloud that merges from another version than the ancestor is found out', async () => {
  const { failures } = await runCases({ cases: 16, firstSeed: 1, wrongAncestor: true });
  const lost = failures.filter(({ failure }) => failure.startsWith('lost'));
  assert.ok(lost.length > 0, JSON.stringify(failures));
});
