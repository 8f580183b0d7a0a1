import { type Kysely, sql } from 'kysely';
import { ABSENT } from '../../content/replica/index.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../../world/records/index.ts';

export interface SyncedProjectRow {
  tenant_id: string;
  project_id: string;
  /** The state below is void for any other cloud. */
  cloud_url: string;
  /** And for any other tenant there; null if written before this column existed. */
  cloud_tenant: string | null;
  /** 1: rounds run by themselves. */
  periodic: number;
  /** Null: from the beginning. */
  cursor: string | null;
  /** JSON of the last result. */
  last: string | null;
  last_synced_at: string | null;
}

/** The known state of a key (`KeyState` in content/replica), and whether it waits to be sent. */
export interface SyncedItemRow {
  tenant_id: string;
  project_id: string;
  /** `e:type/id` for an entity, `f:path` for a file. */
  key: string;
  sha256: string | null;
  version: number;
  sent: string | null;
  /** The last agreed path; null if never synced. */
  path: string | null;
  /** 1: may differ from what was synced. 2: refused by the cloud. */
  dirty: number;
  /** Why it was refused or could not be sent. */
  problem: string | null;
}

export interface SyncInboxRow {
  tenant_id: string;
  project_id: string;
  key: string;
  /** JSON as received. */
  item: string;
  reason: string;
}

export interface CloudConflictRow {
  tenant_id: string;
  project_id: string;
  conflict_id: string;
  entity_type: string;
  entity_id: string;
  status: 'unresolved' | 'resolved';
  /** JSON as received. */
  record: string;
  /** JSON of the answer given here, until it is delivered. */
  answer: string | null;
  detected_at: string;
}

export interface SyncTables {
  cloud_sync_projects: SyncedProjectRow;
  cloud_sync_items: SyncedItemRow;
  cloud_sync_inbox: SyncInboxRow;
  cloud_sync_conflicts: CloudConflictRow;
}

export type SyncDb = Kysely<RecordTables & SyncTables>;

export const syncMigrations: readonly Migration[] = [
  {
    name: 'cloud-sync-2-state',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'cloud_sync_projects', [
        notNull(text, 'tenant_id', 'project_id', 'cloud_url'),
        notNull('integer', 'periodic'),
        nullable(text, 'cursor'),
        notNull(bigint, 'local_seq'),
        nullable(text, 'last', 'last_synced_at'),
        keyOf('tenant_id', 'project_id'),
      ]);
      await createTable(schema, 'cloud_sync_items', [
        notNull(text, 'tenant_id', 'project_id', 'key'),
        nullable(text, 'sha256'),
        notNull(bigint, 'version'),
        nullable(text, 'sent', 'path'),
        notNull('integer', 'dirty'),
        nullable(text, 'problem'),
        keyOf('tenant_id', 'project_id', 'key'),
      ]);
      await schema
        .createIndex('cloud_sync_items_dirty')
        .on('cloud_sync_items')
        .columns(['tenant_id', 'project_id', 'key'])
        .where(sql.ref('dirty'), '>', 0)
        .execute();
      await createTable(schema, 'cloud_sync_inbox', [
        notNull(text, 'tenant_id', 'project_id', 'key', 'item', 'reason'),
        keyOf('tenant_id', 'project_id', 'key'),
      ]);
      await createTable(schema, 'cloud_sync_conflicts', [
        notNull(text, 'tenant_id', 'project_id', 'conflict_id', 'entity_type', 'entity_id', 'status'),
        notNull(text, 'record'),
        nullable(text, 'answer'),
        notNull(text, 'detected_at'),
        keyOf('tenant_id', 'project_id', 'conflict_id'),
      ]);
    },
  },
  {
    name: 'cloud-sync-3-places',
    async up({ schema }) {
      await createIndex(schema, 'cloud_sync_items_path', 'cloud_sync_items', [
        'tenant_id',
        'project_id',
        'path',
      ]);
    },
  },
  {
    name: 'cloud-sync-4-cloud-tenant',
    async up({ schema }, { text }) {
      await schema.alterTable('cloud_sync_projects').addColumn('cloud_tenant', text).execute();
    },
  },
  {
    name: 'cloud-sync-5-moves',
    // `sent` used to be the hash alone; now it is hash and path.
    async up(db) {
      await (db as SyncDb)
        .updateTable('cloud_sync_items')
        .set({ sent: sql<string>`sent || ' ' || path` })
        .where('key', '>=', 'e:')
        .where('key', '<', 'e;')
        .where('sent', '!=', ABSENT)
        .where('path', 'is not', null)
        .execute();
    },
  },
  {
    name: 'cloud-sync-6-sent',
    up: ({ schema }) =>
      schema
        .createIndex('cloud_sync_items_sent')
        .on('cloud_sync_items')
        .columns(['tenant_id', 'project_id', 'key'])
        .where(sql.ref('sent'), 'is not', null)
        .execute(),
  },
  {
    name: 'cloud-sync-7-feed-cursor',
    async up(db) {
      await sql`
        insert into feed_cursors (tenant_id, project_id, reader, seq)
        select tenant_id, project_id, 'sync', local_seq from cloud_sync_projects`.execute(db);
      await db.schema.alterTable('cloud_sync_projects').dropColumn('local_seq').execute();
    },
  },
];
