import type { Kysely } from 'kysely';
import type { BetaTables } from '../../../src/people/beta/beta.tables.ts';
import { hashOfCode } from '../../../src/people/beta/codes.ts';
import type { LotRow } from '../../../src/people/credits/credits.tables.ts';
import type { Rows } from './ledger-rows.ts';
import { endOf, mismatch, type Redeemed, type TenantModel } from './model.ts';
import type { Stage } from './stage.ts';

async function redemptionsOf(stage: Stage, tenantId: string) {
  const rows = await stage.read((db: Kysely<BetaTables>) =>
    db
      .selectFrom('beta_redemptions')
      .innerJoin('beta_codes', 'beta_codes.code_id', 'beta_redemptions.code_id')
      .selectAll('beta_redemptions')
      .select('code_hash')
      .where('tenant_id', '=', tenantId)
      .execute(),
  );
  return new Map(rows.map((row) => [row.code_hash, row]));
}

/** Access and credits of a code end when its operator says: neither sooner nor, once withdrawn, again. */
export async function checkBeta(stage: Stage, tenant: TenantModel, rows: Rows): Promise<void> {
  const { tenantId, redeemed } = tenant;
  const stored = await redemptionsOf(stage, tenantId);
  if (stored.size !== redeemed.size) mismatch('the redemptions are others', { tenantId, redeemed });
  for (const redemption of redeemed.values()) {
    const row = stored.get(hashOfCode(redemption.code));
    const lot = rows.lots.find(({ reference }) => reference === `beta:${row?.redemption_id}`);
    const details = { tenantId, redemption, row, lot };
    if ((row?.withdrawn_at != null) !== redemption.isWithdrawn) mismatch('a withdrawal got lost', details);
    if (!redemption.isWithdrawn && row?.ends_at !== endOf(redemption))
      mismatch('a redemption ends at another time', details);
    if ((lot?.amount ?? 0) !== redemption.credits) mismatch('a code gave other credits', details);
    if (lot === undefined) continue;
    if (lot.expires_at_ms !== endOf(redemption)) mismatch('credits of a code end otherwise', details);
    checkEnds(redemption, lot, rows);
  }
}

/** Its end may have been another one when it expired, since what has expired does not come back. */
function checkEnds(redemption: Redeemed, lot: LotRow, { entries, postings }: Rows): void {
  const timeOf = new Map(postings.map(({ seq, at_ms: at }) => [seq, at]));
  for (const { lot_id: id, account, amount, seq } of entries) {
    if (id !== lot.lot_id || account !== 'expiry' || amount === 0) continue;
    const atMs = timeOf.get(seq) ?? 0;
    const end = redemption.ends.findLast(({ sinceMs }) => sinceMs <= atMs)?.endsAtMs ?? atMs;
    const before = redemption.ends.findLast(({ sinceMs }) => sinceMs < atMs)?.endsAtMs ?? atMs;
    if (atMs < Math.min(end, before)) mismatch('credits of a code ended too soon', { redemption, lot, atMs });
  }
}
