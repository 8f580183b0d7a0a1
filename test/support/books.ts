import type { TestContext } from 'node:test';
import { type CreditsService, createLedger } from '../../src/people/credits/credits.service.ts';
import { type CreditDb, creditMigrations } from '../../src/people/credits/credits.tables.ts';
import type { ReadAllowances } from '../../src/people/credits/ledger.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createTestClock, type TestClock } from './auth.ts';
import type { OpenDatabase } from './databases.ts';

export interface TestLedger {
  ledger: CreditsService;
  /** Over the same database, as another process has it. */
  others: CreditsService;
  database: Database;
  otherDatabase: Database;
  clock: TestClock;
  /** Credits a month by tenant; those left out do not exist. */
  monthly: Map<string, number>;
  readAllowances: ReadAllowances;
  /** Opens the ledger's tables. */
  rows<Result>(work: (db: CreditDb) => Promise<Result>): Promise<Result>;
}

export const EPOCH = Date.UTC(2026, 0, 31, 10);

/** With a tenant `one` of 100 credits a month, at 31 January 2026, 10:00. */
export async function openLedger(t: TestContext, open: OpenDatabase): Promise<TestLedger> {
  const opened = await open();
  t.after(opened.close);
  const { database } = opened;
  await database.migrate(creditMigrations);
  const otherDatabase = opened.again();
  const clock = createTestClock(EPOCH);
  const monthly = new Map([['one', 100]]);
  const readAllowances: ReadAllowances = async (_db, tenantIds) =>
    new Map(
      tenantIds.flatMap((tenantId) => {
        const credits = monthly.get(tenantId);
        return credits === undefined ? [] : [[tenantId, { monthly: credits, isPlanEnding: false }] as const];
      }),
    );
  return {
    ledger: createLedger({ database, clock, readAllowances }),
    others: createLedger({ database: otherDatabase, clock, readAllowances }),
    database,
    otherDatabase,
    clock,
    monthly,
    readAllowances,
    rows: (work) => database.system.write(work),
  };
}
