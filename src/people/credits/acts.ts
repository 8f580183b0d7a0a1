import type { Dialect, Executor } from '../../platform/database/dialect.ts';
import type { Books } from './books/books.ts';
import { endWhatIsOver, topUp } from './books/due.ts';
import type { ReadAllowances } from './ledger.ts';
import { loadBooks, type Needs } from './load.store.ts';
import { saveBooks } from './save.store.ts';

/** One thing to do with the books of a tenant, and what must be loaded for it. */
export interface Act<Reply = unknown> extends Partial<Needs> {
  tenantId: string;
  /** May begin a period: the one before it gets no grant any more, which would only expire. */
  mayBeginPeriod?: true;
  run(books: Books): Reply;
}

export interface ActOptions {
  dialect: Dialect;
  readAllowances: ReadAllowances;
  nowMs: number;
}

const needsOf = (acts: readonly Act[]): Needs => {
  const all = <Item>(of: (act: Act) => readonly Item[] | undefined) => acts.flatMap((act) => of(act) ?? []);
  return {
    userIds: all(({ userIds }) => userIds),
    operationIds: all(({ operationIds }) => operationIds),
    reservationIds: all(({ reservationIds }) => reservationIds),
    keys: all(({ keys }) => keys),
    references: all(({ references }) => references),
  };
};

/** Runs acts in their order, in the caller's transaction: each sees what the ones before it left. */
export async function runActs(
  db: Executor,
  acts: readonly Act[],
  { dialect, readAllowances, nowMs }: ActOptions,
): Promise<unknown[]> {
  const needs = Map.groupBy(acts, ({ tenantId }) => tenantId)
    .entries()
    .map(([tenantId, own]) => [tenantId, needsOf(own)] as const);
  const books = await loadBooks(db, { needs: new Map(needs), dialect, readAllowances, nowMs });
  for (const each of books.values()) endWhatIsOver(each);
  const replies = acts.map(({ tenantId, mayBeginPeriod = false, run }) => {
    const own = books.get(tenantId);
    if (own === undefined) throw new Error(`the books of ${tenantId} were not loaded`);
    if (!mayBeginPeriod) topUp(own);
    const reply = run(own);
    topUp(own);
    return reply;
  });
  await saveBooks(
    db,
    dialect,
    books.values().filter(({ isReal }) => isReal),
  );
  return replies;
}
