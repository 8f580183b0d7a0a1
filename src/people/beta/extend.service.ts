import type { Clock } from '../../kit/clock.ts';
import { invalid, invalidField } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Codes } from './codes.service.ts';
import { extendCodes, takeTurn } from './codes.store.ts';
import { DAY_MS, type Redemptions } from './redemptions.service.ts';

export interface ExtendOptions {
  database: Database;
  clock: Clock;
  codes: Codes;
  redemptions: Redemptions;
}

export interface Extension {
  code?: string | undefined;
  codeId?: string | undefined;
  cohort?: string | undefined;
  userId?: string | undefined;
  /** Added to each end, or to now if that is later. */
  days?: number | undefined;
  untilMs?: number | undefined;
}

const LONGEST_MS = 3_650 * DAY_MS;

const given = (...values: readonly unknown[]): number => values.filter((value) => value !== undefined).length;

/** Lets codes, and what was redeemed, end later; nothing ends sooner. */
export function createExtend({ database, clock, codes, redemptions }: ExtendOptions) {
  function check({ code, codeId, cohort, userId, days, untilMs }: Extension): void {
    if (given(code, codeId, cohort, userId) !== 1)
      throw invalid('Name one of code, code_id, cohort and user_id', { code: 'invalid_target' });
    if (given(days, untilMs) !== 1) throw invalid('Name one of days and until', { code: 'invalid_end' });
    const nowMs = clock.now();
    if (untilMs !== undefined && (untilMs <= nowMs || untilMs > nowMs + LONGEST_MS))
      throw invalidField('until', 'must lie in the next ten years');
  }

  async function targetOf({ code, codeId, cohort, userId }: Extension) {
    if (cohort !== undefined) return { cohort };
    if (userId !== undefined) return { userId };
    const named = await codes.named(code === undefined ? { codeId: codeId ?? '' } : { code });
    return { codeId: named.code_id };
  }

  return async (extension: Extension): Promise<{ codes: number; redemptions: number }> => {
    check(extension);
    const of = await targetOf(extension);
    const { days = 0, untilMs } = extension;
    return database.system.write(async (db) => {
      await takeTurn(db);
      const nowMs = clock.now();
      const laterEnd = (endsAtMs: number) =>
        untilMs === undefined ? Math.max(endsAtMs, nowMs) + days * DAY_MS : Math.max(endsAtMs, untilMs);
      const end = untilMs === undefined ? { byMs: days * DAY_MS } : { untilMs };
      return {
        codes: 'userId' in of ? 0 : await extendCodes(db, { of, nowMs, ...end }),
        redemptions: await redemptions.extend(db, of, laterEnd),
      };
    });
  };
}

export type Extend = ReturnType<typeof createExtend>;
