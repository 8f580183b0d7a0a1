import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type CasesOptions, runCases, shownPlayed } from './run-cases.ts';

/** Prints the number of cases and fails if one did not end well. */
export async function allEndWell(t: TestContext, options: CasesOptions): Promise<void> {
  const played = await runCases(options);
  t.diagnostic(shownPlayed(played));
  assert.deepEqual(played.failures, []);
  assert.ok(played.cases > 0);
}
