import type { PlanName } from '../../access/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import { eachAtOnce } from '../../kit/each-at-once.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Letters } from '../letters/index.ts';
import type { WaitlistRow } from './beta.tables.ts';
import { makeCode } from './codes.service.ts';
import { insertCodes } from './codes.store.ts';
import { promotionMail } from './mails.ts';
import { createWaitlistStore, moveEntry } from './waitlist.store.ts';

export interface PromoteOptions {
  database: Database;
  clock: Clock;
  letters: Letters;
  publicUrl: string;
}

/** Entries that somebody named, or the first ones. */
export type Chosen = { ids: readonly string[] } | { emails: readonly string[] } | { count: number };

export interface GivenPlace {
  plan: PlanName;
  days: number;
  credits: number;
  cohort: string | null;
  promotedBy: string;
}

export interface Promoted {
  promoted: { entry_id: string; email: string; code_id: string }[];
  /** Named as the caller named them. */
  already: string[];
  unconfirmed: string[];
  unknown: string[];
}

/** Promotions share commits. */
const AT_ONCE = 25;

export function createPromote({ database, clock, letters, publicUrl }: PromoteOptions) {
  const store = createWaitlistStore(database.system);

  /** The code's id, or null if the entry is not waiting (any more). Code, mail and state are stored together. */
  function promoteOne(entry: WaitlistRow, place: GivenPlace): Promise<string | null> {
    const { plan, days, credits, cohort } = place;
    const nowMs = clock.now();
    const { code, row } = makeCode(
      {
        ...{ plan, days, credits, cohort, maxUses: 1, expiresAtMs: null, features: {} },
        ...{ note: 'From the waitlist', email: entry.email, createdBy: place.promotedBy },
      },
      nowMs,
    );
    const changes = { state: 'promoted', promoted_at: nowMs, code_id: row.code_id, cohort } as const;
    return database.system.write(async (db) => {
      if (!(await moveEntry(db, entry.entry_id, 'waiting', changes))) return null;
      await insertCodes(db, [row]);
      await letters.add(db, promotionMail(entry.email, { code, days, expiresAtMs: null, publicUrl }));
      return row.code_id;
    });
  }

  async function find(chosen: Chosen): Promise<{ entries: Map<string, WaitlistRow>; unknown: string[] }> {
    if ('count' in chosen) {
      const rows = await store.next(chosen.count);
      return { entries: new Map(rows.map((row) => [row.entry_id, row])), unknown: [] };
    }
    const column = 'ids' in chosen ? 'entry_id' : 'email';
    const names = 'ids' in chosen ? chosen.ids : chosen.emails;
    const entries = new Map((await store.named(column, names)).map((row) => [row[column], row]));
    return { entries, unknown: [...new Set(names)].filter((name) => !entries.has(name)) };
  }

  /** May be repeated after a crash: who was promoted before gets no second code. */
  return async (chosen: Chosen, place: GivenPlace): Promise<Promoted> => {
    const { entries, unknown } = await find(chosen);
    const outcome: Promoted = { promoted: [], already: [], unconfirmed: [], unknown };
    await eachAtOnce(entries, AT_ONCE, async ([name, entry]) => {
      if (entry.state === 'unconfirmed') return void outcome.unconfirmed.push(name);
      const codeId = await promoteOne(entry, place);
      if (codeId === null) return void outcome.already.push(name);
      outcome.promoted.push({ entry_id: entry.entry_id, email: entry.email, code_id: codeId });
    });
    if (outcome.promoted.length > 0) letters.soon();
    return outcome;
  };
}

export type Promote = ReturnType<typeof createPromote>;
