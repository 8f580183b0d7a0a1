import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';

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
      await schema
        .createTable('access_changes')
        .addColumn('seq', 'integer', (column) => column.primaryKey())
        .addColumn('subject', text, (column) => column.notNull())
        .addColumn('subject_id', text, (column) => column.notNull())
        .addColumn('changed_at', text, (column) => column.notNull())
        .execute();
      await schema.createIndex('access_changes_time').on('access_changes').column('changed_at').execute();
      await schema
        .createTable('access_sequence')
        .addColumn('seq', 'integer', (column) => column.notNull())
        .execute();
      await (db as Kysely<AccessTables>).insertInto('access_sequence').values({ seq: 0 }).execute();
    },
  },
];
