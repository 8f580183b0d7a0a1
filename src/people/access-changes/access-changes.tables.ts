import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull } from '../../platform/database/tables.ts';

/** The subject of a change: its earlier tokens are no longer valid as they are. */
export type AccessSubject = 'session' | 'user' | 'tenant' | 'api_key';

export interface AccessChangeRow {
  /** Grows in the order of commits. */
  seq: number;
  subject: AccessSubject;
  subject_id: string;
  changed_at: string;
}

export interface AccessTables {
  access_changes: AccessChangeRow;
  /** A single row with the last number given out. */
  access_sequence: { seq: number };
}

export const accessMigrations: readonly Migration[] = [
  {
    name: 'access-changes-1',
    async up(db, { text }) {
      const { schema } = db;
      await createTable(schema, 'access_changes', [
        key('integer', 'seq'),
        notNull(text, 'subject', 'subject_id', 'changed_at'),
      ]);
      await createIndex(schema, 'access_changes_time', 'access_changes', ['changed_at']);
      await createTable(schema, 'access_sequence', [notNull('integer', 'seq')]);
      await (db as Kysely<AccessTables>).insertInto('access_sequence').values({ seq: 0 }).execute();
    },
  },
];
