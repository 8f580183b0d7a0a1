import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../testing/harness.ts';
import type {} from './store.harness.ts';

const MOST_ROUNDS = 20;
const PUTS = 100;
/** The budget of a put. */
const MOST_MS = 20;

test('a draft of 200 KB is put down quickly', async (t) => {
  const page = await openHarness(t, import.meta.url, './store.harness.ts');
  await page.waitForFunction(() => 'putDrafts' in window);
  // Other processes disturb most rounds: one that they leave alone shows what a put takes.
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MOST_ROUNDS && best > MOST_MS; round += 1) {
    const took = await page.evaluate((puts) => window.putDrafts(puts), PUTS);
    best = Math.min(best, took.toSorted((a, b) => a - b)[PUTS * 0.95 - 1] ?? best);
  }
  t.diagnostic(`${best.toFixed(1)} ms a put at the 95th of ${PUTS}`);
  assert.ok(best <= MOST_MS, `${best.toFixed(1)} ms a put, at most ${MOST_MS}`);
});
