import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';

/** Replies by `Idempotency-Key`, for repeated pushes. */
interface SyncPushesTable {
  tenant_id: string;
  project_id: string;
  user_id: string;
  key: string;
  /** Of the request: another body under the same key is an error. */
  body_hash: string;
  reply: string;
  created_at: string;
}

/** A change number that was issued in a cursor. */
export interface SyncMarkRow {
  tenant_id: string;
  project_id: string;
  seq: number;
  /** Random, so that another database with the same numbers has another one. */
  token: string;
  /** When it was last issued, to within a day. */
  given_at: string;
}

export type ReplicationDb = Kysely<{ sync_pushes: SyncPushesTable; sync_marks: SyncMarkRow }>;

export const replicationMigrations: readonly Migration[] = [
  {
    name: 'replication-1',
    up: ({ schema }, { text }) =>
      schema
        .createTable('sync_pushes')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('user_id', text, (c) => c.notNull())
        .addColumn('key', text, (c) => c.notNull())
        .addColumn('body_hash', text, (c) => c.notNull())
        .addColumn('reply', text, (c) => c.notNull())
        .addColumn('created_at', text, (c) => c.notNull())
        .addPrimaryKeyConstraint('sync_pushes_key', ['tenant_id', 'project_id', 'user_id', 'key'])
        .execute(),
  },
  {
    name: 'replication-2-marks',
    async up({ schema }, { text, bigint }) {
      await schema
        .createTable('sync_marks')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('token', text, (c) => c.notNull())
        .addColumn('given_at', text, (c) => c.notNull())
        .addPrimaryKeyConstraint('sync_marks_key', ['tenant_id', 'project_id', 'seq'])
        .execute();
      await schema
        .createIndex('sync_marks_by_age')
        .on('sync_marks')
        .columns(['tenant_id', 'given_at'])
        .execute();
    },
  },
];
