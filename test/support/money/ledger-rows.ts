import type { Kysely } from 'kysely';
import type {
  CreditTables,
  EntryRow,
  LotRow,
  PostingRow,
} from '../../../src/people/credits/credits.tables.ts';
import type { Stage } from './stage.ts';

export interface Rows {
  lots: LotRow[];
  entries: EntryRow[];
  postings: PostingRow[];
}

export const rowsOf = (stage: Stage, tenantId: string): Promise<Rows> =>
  stage.read(async (db: Kysely<CreditTables>) => ({
    lots: await db.selectFrom('credit_lots').selectAll().where('tenant_id', '=', tenantId).execute(),
    entries: await db.selectFrom('credit_entries').selectAll().where('tenant_id', '=', tenantId).execute(),
    postings: await db
      .selectFrom('credit_postings')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('seq')
      .execute(),
  }));

export const sum = (amounts: Iterable<number>): number =>
  [...amounts].reduce((total, each) => total + each, 0);

/** The credits that a posting brought to an account, below zero if it took them. */
export const broughtTo = (entries: readonly EntryRow[], account: EntryRow['account']): number =>
  sum(entries.filter((entry) => entry.account === account).map(({ amount }) => amount));
