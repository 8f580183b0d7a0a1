import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import { createAccessChangeStore, insertAccessChange } from './access-changes.store.ts';
import type { AccessSubject } from './access-changes.tables.ts';

/** Longer than the lifetime of any access token, including differences between clocks. */
const KEPT_MS = 3_600_000;
const MOST_AT_ONCE = 1_000;

/** Records, in the transaction of the change, that earlier tokens of a session, user, tenant or API key are outdated. */
export type NoteAccessChange = (db: Executor, subject: AccessSubject, subjectId: string) => Promise<void>;

/**
 * The sequence of access changes. A token carries the latest number from before its claims were read, and is checked against all
 * later changes that concern it.
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
    /** Returns the next changes after a number, and the latest number of all. */
    async since(after: number) {
      const latest = await store.latest();
      return { latest, changes: await store.since(after, MOST_AT_ONCE) };
    },
  };
}

export type AccessChanges = ReturnType<typeof createAccessChanges>;
