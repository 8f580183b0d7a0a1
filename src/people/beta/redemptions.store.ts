import type { Kysely } from 'kysely';
import type { Executor } from '../../platform/database/dialect.ts';
import type { BetaTables, RedemptionRow } from './beta.tables.ts';

/** Redemptions of one code, or of one tenant. */
export type RedemptionsOf =
  | { codeId: string }
  | { cohort: string }
  | { userId: string }
  | { tenantId: string };

function condition(of: RedemptionsOf): ['code_id' | 'cohort' | 'user_id' | 'tenant_id', string] {
  if ('codeId' in of) return ['code_id', of.codeId];
  if ('cohort' in of) return ['cohort', of.cohort];
  return 'userId' in of ? ['user_id', of.userId] : ['tenant_id', of.tenantId];
}

/** Without those that were withdrawn. */
export async function goodRedemptions(executor: Executor, of: RedemptionsOf): Promise<RedemptionRow[]> {
  const [column, value] = condition(of);
  return (executor as Kysely<BetaTables>)
    .selectFrom('beta_redemptions')
    .selectAll()
    .where(column, '=', value)
    .where('withdrawn_at', 'is', null)
    .orderBy('redeemed_at')
    .orderBy('redemption_id')
    .execute();
}

export async function findRedemption(
  executor: Executor,
  codeHash: string,
  tenantId: string,
): Promise<RedemptionRow | null> {
  const row = await (executor as Kysely<BetaTables>)
    .selectFrom('beta_redemptions')
    .innerJoin('beta_codes', 'beta_codes.code_id', 'beta_redemptions.code_id')
    .selectAll('beta_redemptions')
    .where('code_hash', '=', codeHash)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertRedemption(executor: Executor, row: RedemptionRow): Promise<void> {
  await (executor as Kysely<BetaTables>).insertInto('beta_redemptions').values(row).execute();
}

export async function changeRedemption(
  executor: Executor,
  redemptionId: string,
  change: Pick<RedemptionRow, 'ends_at'> | Pick<RedemptionRow, 'withdrawn_at'>,
): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .updateTable('beta_redemptions')
    .set(change)
    .where('redemption_id', '=', redemptionId)
    .execute();
}

export async function removeRedemptions(executor: Executor, tenantId: string): Promise<void> {
  await (executor as Kysely<BetaTables>)
    .deleteFrom('beta_redemptions')
    .where('tenant_id', '=', tenantId)
    .execute();
}
