import { type ExpressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BetaTables, CodeRow } from './beta.tables.ts';
import type { CodeState } from './states.contract.ts';

export interface CodeFilter {
  cohort?: string | undefined;
  state?: CodeState | undefined;
}

/** The same as the conditions below. */
export function stateOf(row: CodeRow, nowMs: number): CodeState {
  if (row.revoked_at !== null) return 'revoked';
  if (row.uses >= row.max_uses) return 'used_up';
  return row.expires_at !== null && row.expires_at <= nowMs ? 'expired' : 'active';
}

type Codes = ExpressionBuilder<BetaTables, 'beta_codes'>;

const isUsedUp = ({ eb, ref }: Codes) => eb('uses', '>=', ref('max_uses'));
const isExpired = ({ eb }: Codes, nowMs: number) => eb('expires_at', '<=', nowMs);
const isOpen = (codes: Codes, nowMs: number) =>
  codes.and([
    codes.eb('revoked_at', 'is', null),
    codes.eb('uses', '<', codes.ref('max_uses')),
    codes.or([codes.eb('expires_at', 'is', null), codes.eb('expires_at', '>', nowMs)]),
  ]);

function hasState(codes: Codes, state: CodeState, nowMs: number) {
  if (state === 'active') return isOpen(codes, nowMs);
  if (state === 'revoked') return codes.eb('revoked_at', 'is not', null);
  const isNotRevoked = codes.eb('revoked_at', 'is', null);
  if (state === 'used_up') return codes.and([isNotRevoked, isUsedUp(codes)]);
  return codes.and([isNotRevoked, codes.not(isUsedUp(codes)), isExpired(codes, nowMs)]);
}

/** Waits until nobody else changes anybody's access, and keeps others out until the transaction ends. */
export async function takeTurn(db: Executor): Promise<void> {
  await (db as Kysely<BetaTables>).updateTable('beta_turn').set({ taken: sql<number>`taken + 1` }).execute();
}

const ROWS_PER_QUERY = 100;

export async function insertCodes(executor: Executor, rows: readonly CodeRow[]): Promise<void> {
  const db = executor as Kysely<BetaTables>;
  for (let from = 0; from < rows.length; from += ROWS_PER_QUERY)
    await db
      .insertInto('beta_codes')
      .values(rows.slice(from, from + ROWS_PER_QUERY))
      .execute();
}

/** Counts one more use of a code that may be used: of several callers, only as many get it as it has uses left. */
export async function useCode(executor: Executor, codeHash: string, nowMs: number): Promise<CodeRow | null> {
  const row = await (executor as Kysely<BetaTables>)
    .updateTable('beta_codes')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('code_hash', '=', codeHash)
    .where((codes) => isOpen(codes, nowMs))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** False if it was revoked before. */
export async function revokeCode(executor: Executor, codeId: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await (executor as Kysely<BetaTables>)
    .updateTable('beta_codes')
    .set({ revoked_at: nowMs })
    .where('code_id', '=', codeId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface CodeExtension {
  of: { codeId: string } | { cohort: string };
  /** Add this to the end, or to now if that is later… */
  byMs?: number;
  /** …or let it end then, unless it ends later. */
  untilMs?: number;
  nowMs: number;
}

/** Returns how many codes end later than before. Codes that were revoked or never end stay as they are. */
export async function extendCodes(executor: Executor, extension: CodeExtension): Promise<number> {
  const { of, byMs = 0, untilMs, nowMs } = extension;
  const later = sql<number>`case when expires_at > ${nowMs} then expires_at else ${nowMs} end + ${byMs}`;
  const [column, value] =
    'codeId' in of ? (['code_id', of.codeId] as const) : (['cohort', of.cohort] as const);
  const { numUpdatedRows } = await (executor as Kysely<BetaTables>)
    .updateTable('beta_codes')
    .set({ expires_at: untilMs ?? later })
    .where(column, '=', value)
    .where('revoked_at', 'is', null)
    .where('expires_at', 'is not', null)
    .$if(untilMs !== undefined, (query) => query.where('expires_at', '<', untilMs ?? 0))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

const matching = (
  db: Kysely<BetaTables>,
  { cohort, state }: CodeFilter,
  nowMs: number,
): SelectQueryBuilder<BetaTables, 'beta_codes', object> => {
  let query = db.selectFrom('beta_codes');
  if (cohort !== undefined) query = query.where('cohort', '=', cohort);
  if (state !== undefined) query = query.where((codes) => hasState(codes, state, nowMs));
  return query;
};

export function createCodeStore(database: TenantDatabase) {
  return {
    async find(column: 'code_id' | 'code_hash', value: string): Promise<CodeRow | null> {
      const row = await database.read((db: Kysely<BetaTables>) =>
        db.selectFrom('beta_codes').selectAll().where(column, '=', value).executeTakeFirst(),
      );
      return row ?? null;
    },
    /** Newest first. */
    page: (
      filter: CodeFilter,
      { offset, limit, nowMs }: { offset: number; limit: number; nowMs: number },
    ): Promise<{ total: number; rows: CodeRow[] }> =>
      database.read(async (db: Kysely<BetaTables>) => {
        const { total } = await matching(db, filter, nowMs)
          .select(({ fn }) => fn.countAll<number | string>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await matching(db, filter, nowMs)
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('code_id')
          .offset(offset)
          .limit(limit)
          .execute();
        return { total: Number(total), rows };
      }),
  };
}
