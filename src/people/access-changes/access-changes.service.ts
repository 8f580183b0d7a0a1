import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import { createAccessChangeStore, insertAccessChange } from './access-changes.store.ts';
import type { AccessSubject } from './access-changes.tables.ts';

/** Longer than any access token is good, clocks that differ included. */
const KEPT_MS = 3_600_000;
const MOST_AT_ONCE = 1_000;

/** Notes that what was said of a session, user, tenant or API key no longer holds, in the transaction that changes it. */
export type NoteAccessChange = (db: Executor, subject: AccessSubject, subjectId: string) => Promise<void>;

/**
 * The order in which access changed. A token carries the number that was the latest before what it says was read; every
 * later change that it falls under is unknown to it.
 */
export function createAccessChanges({ database, clock }: { database: Database; clock: Clock }) {
  const store = createAccessChangeStore(database.system);
  const note: NoteAccessChange = (db, subject, subjectId) =>
    insertAccessChange(
      db,
      { subject, subject_id: subjectId, changed_at: isoTime(clock.now()) },
      isoTime(clock.now() - KEPT_MS),
    );
  return {
    note,
    latest: store.latest,
    /** The next changes after a number, and the latest number of all. */
    async since(after: number) {
      const latest = await store.latest();
      return { latest, changes: await store.since(after, MOST_AT_ONCE) };
    },
  };
}

export type AccessChanges = ReturnType<typeof createAccessChanges>;
