import { describe } from 'node:test';
import { openLedger } from '../../../test/support/books.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { creditLedgerConformance } from '../../access/credits.conformance.ts';
import { LEASE_MS } from './books/spending.ts';

forEachDatabase((_name, open) => {
  describe('the ledger', () => {
    creditLedgerConformance(async (t) => {
      const { ledger, others, clock } = await openLedger(t, open);
      return {
        credits: ledger,
        others,
        available: async () => (await others.look('one', 'mira')).balance,
        passLease: () => clock.pass(LEASE_MS),
        passHalfLease: () => clock.pass(LEASE_MS * 0.6),
      };
    });
  });
});
