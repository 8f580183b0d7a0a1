import { type Kysely, sql, type Updateable } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Dialect, Executor } from '../../platform/database/dialect.ts';
import type { BetaTables, FeedbackRow } from './beta.tables.ts';
import type { FeedbackCategory, FeedbackStatus } from './states.contract.ts';

export interface FeedbackFilter {
  status?: FeedbackStatus | undefined;
  category?: FeedbackCategory | undefined;
  rating?: number | undefined;
  cohort?: string | undefined;
  q?: string | undefined;
}

/** Text as it is searched: `lower` of a database may know English letters alone. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase();

const containing = (text: string): string => `%${folded(text).replaceAll(/[\\%_]/g, '\\$&')}%`;

function matching(db: Kysely<BetaTables>, { q, ...equal }: FeedbackFilter) {
  let query = db.selectFrom('beta_feedback');
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) query = query.where(column as keyof typeof equal, '=', value);
  return q === undefined ? query : query.where(sql<boolean>`folded like ${containing(q)} escape '\\'`);
}

export async function insertFeedback(executor: Executor, row: FeedbackRow): Promise<void> {
  await (executor as Kysely<BetaTables>).insertInto('beta_feedback').values(row).execute();
}

/** Nobody else changes it until the transaction ends. */
export async function lockFeedback(
  executor: Executor,
  id: string,
  { forUpdate }: Dialect,
): Promise<FeedbackRow | null> {
  const row = await (executor as Kysely<BetaTables>)
    .selectFrom('beta_feedback')
    .selectAll()
    .where('feedback_id', '=', id)
    .modifyEnd(forUpdate)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateFeedback(
  executor: Executor,
  id: string,
  changes: Updateable<FeedbackRow>,
): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .updateTable('beta_feedback')
    .set(changes)
    .where('feedback_id', '=', id)
    .execute();
}

export async function removeFeedback(executor: Executor, tenantId: string): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .deleteFrom('beta_feedback')
    .where('tenant_id', '=', tenantId)
    .execute();
}

export const createFeedbackStore = (database: TenantDatabase) => ({
  find: async (id: string): Promise<FeedbackRow | null> => {
    const row = await database.read((db: Kysely<BetaTables>) =>
      db.selectFrom('beta_feedback').selectAll().where('feedback_id', '=', id).executeTakeFirst(),
    );
    return row ?? null;
  },
  countSince: async (userId: string, sinceMs: number): Promise<number> => {
    const { count } = await database.read((db: Kysely<BetaTables>) =>
      db
        .selectFrom('beta_feedback')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('user_id', '=', userId)
        .where('created_at', '>', sinceMs)
        .executeTakeFirstOrThrow(),
    );
    return Number(count);
  },
  /** Newest first. */
  page: (filter: FeedbackFilter, { offset, limit }: { offset: number; limit: number }) =>
    database.read(async (db: Kysely<BetaTables>): Promise<{ total: number; rows: FeedbackRow[] }> => {
      const { total } = await matching(db, filter)
        .select(({ fn }) => fn.countAll<number | string>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await matching(db, filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('feedback_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total: Number(total), rows };
    }),
});
