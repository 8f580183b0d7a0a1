import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openLedger } from '../../../test/support/books.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { checkLedger } from './check.store.ts';
import type { CreditDb } from './credits.tables.ts';

const MIRA = { tenantId: 'one', userId: 'mira' };
const operation = (id: string) => ({ id, kind: 'ai_generate' });

/** Each with what the check must say about it. */
const DAMAGE: readonly [string, RegExp, (db: CreditDb) => Promise<unknown>][] = [
  [
    'an entry that was changed',
    /sum to/,
    (db) => db.updateTable('credit_entries').set({ amount: 1 }).where('account', '=', 'spending').execute(),
  ],
  [
    'a posting that was removed',
    /postings of/,
    (db) => db.deleteFrom('credit_postings').where('kind', '=', 'settle').execute(),
  ],
  [
    'a lot with more than its entries',
    /says 1000 credits remain/,
    (db) => db.updateTable('credit_lots').set({ remaining: 1_000 }).execute(),
  ],
  ['a lot that was removed', /name the lot/, (db) => db.deleteFrom('credit_lots').execute()],
  [
    'a reservation that was closed by hand',
    /holds 0 credits, its entries 20/,
    (db) => db.updateTable('credit_reservations').set({ open_until_ms: null }).execute(),
  ],
  ['a reservation that was removed', /is missing/, (db) => db.deleteFrom('credit_reservations').execute()],
  [
    'a count of reserved credits that was changed',
    /counts 7 reserved credits/,
    (db) => db.updateTable('credit_accounts').set({ reserved: 7 }).execute(),
  ],
  [
    'the same of a user',
    /user mira of one counts 7 reserved/,
    (db) => db.updateTable('credit_members').set({ reserved: 7 }).execute(),
  ],
  [
    'usage that was changed',
    /counts 99 credits, its entries 10/,
    (db) => db.updateTable('credit_usage').set({ spent: 99 }).execute(),
  ],
  [
    'usage that was removed',
    /counts 0 credits, its entries 10/,
    (db) => db.deleteFrom('credit_usage').execute(),
  ],
  [
    'a total that was changed',
    /by user \(mira\) differs by 5 credits/,
    (db) => db.updateTable('credit_usage_totals').set({ spent: 15 }).where('grouping', '=', 'user').execute(),
  ],
  [
    'totals that were removed',
    /by day \(\) differs by -10 credits/,
    (db) => db.deleteFrom('credit_usage_totals').execute(),
  ],
  [
    'spending of the period that was changed',
    /^one counts 3 credits spent/,
    (db) => db.updateTable('credit_accounts').set({ spent: 3 }).execute(),
  ],
  [
    'the same of a user',
    /user mira of one counts 3 credits spent/,
    (db) => db.updateTable('credit_members').set({ spent: 3 }).execute(),
  ],
  [
    'a lot below zero',
    /is below zero/,
    (db) => db.updateTable('credit_lots').set({ remaining: -5 }).execute(),
  ],
  [
    'an account below zero',
    /the account grants of one is below zero/,
    (db) => db.updateTable('credit_entries').set({ amount: -900 }).where('account', '=', 'grants').execute(),
  ],
];

forEachDatabase((_name, open) => {
  describe('the check of the ledger', () => {
    async function spent(t: TestContext) {
      const opened = await openLedger(t, open);
      const reply = await opened.ledger.reserve(MIRA, 30, operation('a'));
      assert.ok(reply.outcome === 'reserved');
      await opened.ledger.settle(reply.reservation, 10);
      await opened.ledger.reserve(MIRA, 20, operation('b'));
      return opened;
    }

    for (const [what, said, damage] of DAMAGE)
      test(`finds ${what}`, async (t) => {
        const { database, rows } = await spent(t);
        assert.deepEqual(await checkLedger(database), []);
        await rows(damage);
        const problems = await checkLedger(database);
        assert.ok(
          problems.some((problem) => said.test(problem)),
          problems.join('\n'),
        );
      });

    test('has nothing to say where there are no books', async (t) => {
      const opened = await open();
      t.after(opened.close);
      assert.deepEqual(await checkLedger(opened.database), []);
    });

    test('damaged books fail their own tenant alone', async (t) => {
      const { ledger, monthly, rows } = await spent(t);
      monthly.set('two', 100);
      await rows((db) => db.deleteFrom('credit_lots').execute());
      const open = { ...MIRA, reservationId: '4', operation: operation('b'), amount: 20, expiresAtMs: null };
      // In one turn, so that they share a batch.
      const [damaged, sound] = await Promise.allSettled([
        ledger.release(open),
        ledger.reserve({ ...MIRA, tenantId: 'two' }, 5, operation('c')),
      ]);
      assert.deepEqual([damaged.status, sound.status], ['rejected', 'fulfilled']);
    });
  });
});
