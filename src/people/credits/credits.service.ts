import { requireCredits } from '../../access/credits.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, DatabaseError } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import { type Act, runActs } from './acts.ts';
import { createBatches } from './batches.ts';
import type { Reservation } from './books/books.ts';
import { add, correct, extend, type Quotas, setQuotas, setUserQuota } from './books/changes.ts';
import { beginPeriod } from './books/due.ts';
import {
  type Consumed,
  type Consuming,
  consume,
  type Reused,
  release,
  reserve,
  settle,
} from './books/spending.ts';
import { type CreditsView, viewOf } from './books/view.ts';
import type { Ledger, ReadAllowances } from './ledger.ts';

export interface LedgerOptions {
  database: Database;
  clock: Clock;
  readAllowances: ReadAllowances;
}

/** Every other amount that a column of the books has to hold is a sum of these. */
const MOST_AT_ONCE = 1_000_000_000;

function requireAmount(amount: number): void {
  requireCredits(amount);
  if (amount > MOST_AT_ONCE) throw new RangeError(`${amount} credits at once are more than ${MOST_AT_ONCE}`);
}

const numberOf = (reservationId: string): number =>
  /^\d{1,15}$/.test(reservationId) ? Number(reservationId) : -1;

const shown = (tenantId: string, reservation: Reservation) => {
  const { reservationId, userId, operationId, operation, provider, amount, openUntilMs } = reservation;
  return {
    tenantId,
    userId,
    reservationId: String(reservationId),
    operation: { id: operationId, kind: operation, ...(provider !== '' && { provider }) },
    amount,
    expiresAtMs: openUntilMs,
  };
};

/** The ledger with what only this module does with it. Acts that come at the same time share a transaction. */
export function createLedger({ database, clock, readAllowances }: LedgerOptions) {
  const { system, dialect } = database;
  const within = (db: Executor, acts: readonly Act[]) =>
    runActs(db, acts, { dialect, readAllowances, nowMs: clock.now() });
  const together = (acts: readonly Act[]) => system.write((db) => within(db, acts));

  /** Damaged books of one tenant fail its own acts alone. */
  async function runBatch(acts: readonly Act[]): Promise<readonly unknown[]> {
    try {
      return await together(acts);
    } catch (error) {
      if (error instanceof DatabaseError || new Set(acts.map(({ tenantId }) => tenantId)).size === 1)
        throw error;
    }
    const outcomes = new Map<Act, unknown>();
    for (const ofTenant of Map.groupBy(acts, ({ tenantId }) => tenantId).values()) {
      const replies = await together(ofTenant).catch((error: unknown) =>
        ofTenant.map(() => new Failed(error)),
      );
      ofTenant.forEach((act, index) => {
        outcomes.set(act, replies[index]);
      });
    }
    return acts.map((act) => outcomes.get(act));
  }
  const batches = createBatches(runBatch);
  const perform = async <Reply>(act: Act<Reply>): Promise<Reply> => {
    const reply = await batches.add(act);
    if (reply instanceof Failed) throw reply.reason;
    return reply as Reply;
  };
  const one = async <Reply>(db: Executor, act: Act<Reply>): Promise<Reply> =>
    (await within(db, [act]))[0] as Reply;

  const ledger: Ledger = {
    async reserve({ tenantId, userId }, amount, { id: operationId, kind: operation, provider = '' }) {
      requireAmount(amount);
      const reply = await perform({
        tenantId,
        userIds: [userId],
        operationIds: [operationId],
        run: (books) => reserve(books, { userId, operationId, operation, provider, amount }),
      });
      return reply.outcome === 'reserved'
        ? { outcome: 'reserved', reservation: shown(tenantId, reply.reservation) }
        : reply;
    },
    async settle({ tenantId, reservationId: name, operation }, actual) {
      requireCredits(actual);
      const reservationId = numberOf(name);
      return perform({
        tenantId,
        reservationIds: [reservationId],
        run: (books) => settle(books, { reservationId, operationId: operation.id }, actual),
      });
    },
    async release({ tenantId, reservationId: name, operation }) {
      const reservationId = numberOf(name);
      return perform({
        tenantId,
        reservationIds: [reservationId],
        run: (books) => release(books, { reservationId, operationId: operation.id }),
      });
    },
    async add(db, addition) {
      requireAmount(addition.amount);
      const { tenantId, reference } = addition;
      return one(db, { tenantId, references: [reference], run: (books) => add(books, addition) });
    },
    async beginPeriod(db, period) {
      await one(db, {
        tenantId: period.tenantId,
        mayBeginPeriod: true,
        run: (books) => beginPeriod(books, period),
      });
    },
    async extend(db, tenantId, reference, expiresAtMs) {
      await one(db, {
        tenantId,
        references: [reference],
        run: (books) => extend(books, reference, expiresAtMs),
      });
    },
  };

  return {
    ...ledger,
    /** As of now: whatever is due is done first. */
    look: (tenantId: string, userId: string): Promise<CreditsView> =>
      perform({ tenantId, userIds: [userId], run: (books) => viewOf(books, userId) }),
    consume: (tenantId: string, consuming: Consuming): Promise<Consumed | Reused> => {
      requireAmount(consuming.amount);
      return perform({
        tenantId,
        userIds: [consuming.userId],
        keys: consuming.once ? [consuming.once.key] : [],
        run: (books) => consume(books, consuming),
      });
    },
    setQuotas: (tenantId: string, quotas: Quotas): Promise<CreditsView> =>
      perform({
        tenantId,
        run(books) {
          setQuotas(books, quotas);
          return viewOf(books, '');
        },
      }),
    setUserQuota: (tenantId: string, userId: string, quota: number | null): Promise<CreditsView> =>
      perform({
        tenantId,
        userIds: [userId],
        run(books) {
          setUserQuota(books, userId, quota);
          return viewOf(books, userId);
        },
      }),
    correct: (tenantId: string, amount: number, reason: string): Promise<number> => {
      requireAmount(Math.abs(amount));
      return perform({ tenantId, run: (books) => correct(books, amount, reason) });
    },
    /** Does what is due for these tenants. */
    async catchUp(tenantIds: readonly string[]): Promise<void> {
      await Promise.all(tenantIds.map((tenantId) => perform({ tenantId, run: () => null })));
    },
    /** Resolves when everything asked so far is done. */
    idle: batches.idle,
  };
}

/** Stands among replies for what failed alone. */
class Failed {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}

export type CreditsService = ReturnType<typeof createLedger>;
