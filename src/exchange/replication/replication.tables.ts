import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';

/** What a push was answered, for when it is sent again with the same `Idempotency-Key`. */
interface SyncPushesTable {
  tenant_id: string;
  project_id: string;
  user_id: string;
  key: string;
  /** Of the request's body: another one under the same key is a mistake. */
  body_hash: string;
  /** JSON. */
  reply: string;
  created_at: string;
}

/** A number of a project's changes that was given out in a cursor. */
export interface SyncMarkRow {
  tenant_id: string;
  project_id: string;
  seq: number;
  /** Random: another database that counts as far has another one. */
  token: string;
  /** When it was given out last, give or take a day. */
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
