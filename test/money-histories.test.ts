import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from './support/databases.ts';
import { moneyHistories } from './support/money/histories.ts';

/** `npm run money-histories` plays more of them. */
const CASES = { sqlite: 16, postgres: 10 };
const LAST_LINES = 15;

forEachDatabase((name, open) => {
  test('whatever happens, the ledger balances and each event takes effect once', async () => {
    for await (const { seed, failure, journal } of moneyHistories({
      cases: CASES[name],
      firstSeed: 1,
      databases: { [name]: open },
    })) {
      const end = journal.lines().split('\n').slice(-LAST_LINES).join('\n');
      assert.equal(
        failure,
        null,
        `replay it by: npm run money-histories -- 1 ${seed} ${name}\n${failure}\n${end}`,
      );
    }
  });
});
