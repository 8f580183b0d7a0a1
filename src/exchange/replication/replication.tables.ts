import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull } from '../../platform/database/tables.ts';

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
      createTable(schema, 'sync_pushes', [
        notNull(text, 'tenant_id', 'project_id', 'user_id', 'key', 'body_hash', 'reply', 'created_at'),
        keyOf('tenant_id', 'project_id', 'user_id', 'key'),
      ]),
  },
  {
    name: 'replication-2-marks',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'sync_marks', [
        notNull(text, 'tenant_id', 'project_id'),
        notNull(bigint, 'seq'),
        notNull(text, 'token', 'given_at'),
        keyOf('tenant_id', 'project_id', 'seq'),
      ]);
      await createIndex(schema, 'sync_marks_by_age', 'sync_marks', ['tenant_id', 'given_at']);
    },
  },
];
