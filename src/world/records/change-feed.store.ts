import type { Kysely } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import type { RecordTables } from './records.tables.ts';
import { type Scope, scopeColumns } from './scope.ts';
import { lastSequence } from './sequence.store.ts';

/** Files created, changed or deleted (as tombstones) after a number, in the order of their changes. */
export const changedFiles = (db: Kysely<RecordTables>, scope: Scope, after: number) =>
  inProject(db, scope).selectFrom('files').where('seq', '>', after).orderBy('seq');

const cursorOf = prepared(
  (db: Kysely<RecordTables>, values: { tenant_id: string; project_id: string; reader: string }) =>
    inProject(db, scopeOf(values))
      .selectFrom('feed_cursors')
      .select('seq')
      .where('reader', '=', values.reader),
);

/** The cursor (0 before the first step) and the newest change. After a backup is restored the cursor may be beyond the newest change. */
export async function readFeed(
  db: Kysely<RecordTables>,
  scope: Scope,
  reader: string,
): Promise<{ cursor: number; last: number }> {
  const [row] = await cursorOf(db, { ...scopeColumns(scope), reader });
  return { cursor: row?.seq ?? 0, last: await lastSequence(db, scope) };
}

/** Moves a cursor in the transaction that stores the reader's work, so that a crash repeats both or neither. */
export const putFeedCursor = (
  db: Kysely<RecordTables>,
  dialect: Dialect,
  scope: Scope,
  { reader, seq }: { reader: string; seq: number },
): Promise<void> =>
  dialect.upsert(db, 'feed_cursors', [{ ...scopeColumns(scope), reader, seq }], {
    conflict: ['tenant_id', 'project_id', 'reader'],
    update: ['seq'],
  });
