import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { PlanName } from '../../access/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import { notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { CreditBooks } from '../credits/index.ts';
import { grantOf, type PlanGrants } from '../tenants/index.ts';
import { accessFrom, type BetaAccess } from './access.ts';
import type { CodeRow, RedemptionRow } from './beta.tables.ts';
import { revokeCode, takeTurn, useCode } from './codes.store.ts';
import { hashOfCode } from './codes.ts';
import {
  changeRedemption,
  findRedemption,
  goodRedemptions,
  insertRedemption,
  type RedemptionsOf,
  removeRedemptions,
} from './redemptions.store.ts';

export const DAY_MS = 24 * 3_600_000;

export interface RedemptionsOptions {
  database: Database;
  clock: Clock;
  planGrants: PlanGrants;
  books: CreditBooks;
}

export interface Redemption {
  plan: PlanName;
  endsAtMs: number;
  features: FeatureOverrides;
  credits: number;
  cohort: string | null;
}

const redeemed = (row: RedemptionRow) => ({
  plan: row.plan,
  features: JSON.parse(row.features) as FeatureOverrides,
  fromMs: row.redeemed_at,
  endsAtMs: row.ends_at,
});

/** Names a redemption's credits in the ledger. */
const referenceOf = ({ redemption_id }: RedemptionRow): string => `beta:${redemption_id}`;

const redemptionOf = (code: CodeRow, tenantId: string, userId: string, nowMs: number): RedemptionRow => ({
  redemption_id: newId(),
  code_id: code.code_id,
  tenant_id: tenantId,
  user_id: userId,
  plan: code.plan,
  credits: code.credits,
  features: code.features,
  cohort: code.cohort,
  redeemed_at: nowMs,
  ends_at: nowMs + code.days * DAY_MS,
  withdrawn_at: null,
});

/** The access of tenants that redeemed codes. Whoever changes it takes the turn first, so that it is computed from all their codes. */
export function createRedemptions({ database, clock, planGrants, books }: RedemptionsOptions) {
  const accessOf = async (db: Executor, tenantId: string): Promise<BetaAccess | null> =>
    accessFrom((await goodRedemptions(db, { tenantId })).map(redeemed), clock.now());

  async function grantAccess(db: Executor, tenantId: string): Promise<BetaAccess | null> {
    const access = await accessOf(db, tenantId);
    const grant = access && grantOf(access.plan, { features: access.features, endsAtMs: access.endsAtMs });
    await planGrants.put(db, tenantId, { beta: grant });
    return access;
  }

  const shown = (row: RedemptionRow, access: BetaAccess | null): Redemption => ({
    ...(access ?? redeemed(row)),
    credits: row.credits,
    cohort: row.cohort,
  });

  /** Null if the code cannot be used. */
  async function redeemIn(db: Executor, code: string, tenantId: string, userId: string) {
    const codeHash = hashOfCode(code);
    await takeTurn(db);
    const earlier = await findRedemption(db, codeHash, tenantId);
    if (earlier?.withdrawn_at === null) return shown(earlier, await accessOf(db, tenantId));
    const nowMs = clock.now();
    const used = earlier === null ? await useCode(db, codeHash, nowMs) : null;
    if (used === null) return null;
    const row = redemptionOf(used, tenantId, userId, nowMs);
    await insertRedemption(db, row);
    const access = await grantAccess(db, tenantId);
    if (row.credits > 0)
      await books.add(db, {
        tenantId,
        source: 'promotion',
        amount: row.credits,
        expiresAtMs: row.ends_at,
        reference: referenceOf(row),
        userId,
      });
    return shown(row, access);
  }

  /** Sets new ends of rows, and what follows from them. Null ends a redemption for good. */
  async function changeEnds(db: Executor, ends: ReadonlyMap<RedemptionRow, number | null>): Promise<void> {
    const nowMs = clock.now();
    for (const [row, endsAtMs] of ends) {
      const change = endsAtMs === null ? { withdrawn_at: nowMs } : { ends_at: endsAtMs };
      await changeRedemption(db, row.redemption_id, change);
      // Credits that expired before are left alone when a redemption is withdrawn.
      const expiresAtMs = endsAtMs ?? Math.min(row.ends_at, nowMs);
      if (row.credits > 0 && expiresAtMs !== row.ends_at)
        await books.extend(db, row.tenant_id, referenceOf(row), expiresAtMs);
    }
    const tenantIds = new Set([...ends.keys()].map(({ tenant_id }) => tenant_id));
    for (const tenantId of tenantIds) await grantAccess(db, tenantId);
  }

  return {
    /** A tenant that redeems a code again gets its first answer. 404 with the same message for every code that cannot be used. */
    async redeem(code: string, { tenantId, userId }: { tenantId: string; userId: string }) {
      const redemption = await database.system.write((db) => redeemIn(db, code, tenantId, userId));
      if (redemption === null) throw notFound(BAD_CODE, { code: 'invalid_code' });
      return redemption;
    },

    /** Nobody can use the code any more; with `withdraw`, those who did lose what it gave. Repeating it changes nothing. */
    revoke: (codeId: string, { withdraw }: { withdraw: boolean }) =>
      database.system.write(async (db) => {
        await takeTurn(db);
        const isRevoked = await revokeCode(db, codeId, clock.now());
        const rows = withdraw ? await goodRedemptions(db, { codeId }) : [];
        await changeEnds(db, new Map(rows.map((row) => [row, null])));
        return { isRevoked, withdrawn: rows.length };
      }),

    /** Lets redemptions end later, in the caller's transaction, which has the turn. Returns how many do. */
    async extend(db: Executor, of: RedemptionsOf, laterEnd: (endsAtMs: number) => number): Promise<number> {
      const rows = await goodRedemptions(db, of);
      const ends = rows
        .map((row) => [row, laterEnd(row.ends_at)] as const)
        .filter(([row, endsAtMs]) => endsAtMs > row.ends_at);
      await changeEnds(db, new Map(ends));
      return ends.length;
    },

    /** The cohort of the tenant's newest code. */
    async cohortOf(db: Executor, tenantId: string): Promise<string | null> {
      return (await goodRedemptions(db, { tenantId })).at(-1)?.cohort ?? null;
    },

    removeAll: removeRedemptions,
  };
}

export type Redemptions = ReturnType<typeof createRedemptions>;

/** The same for codes that never existed, are used up, were revoked or have expired. */
export const BAD_CODE = 'This code is not valid';
