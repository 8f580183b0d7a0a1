import { type Kysely, sql } from 'kysely';
import { ABSENT } from '../../content/replica/index.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../../world/records/index.ts';
import type { ReplicaName } from './synced-project.ts';

interface ReplicaRow {
  tenant_id: string;
  project_id: string;
  replica: ReplicaName;
}

export interface SyncedProjectRow extends ReplicaRow {
  /** The state below is void for a replica at any other address. */
  address: string;
  /** And for any other owner there; null if written before this column existed. */
  account: string | null;
  /** 1: rounds run by themselves. */
  periodic: number;
  /** Null: from the beginning. */
  cursor: string | null;
  /** JSON of the last result. */
  last: string | null;
  last_synced_at: string | null;
}

/** The known state of a key (`KeyState` in content/replica), and whether it waits to be sent. */
export interface SyncedItemRow extends ReplicaRow {
  /** `e:type/id` for an entity, `f:path` for a file. */
  key: string;
  sha256: string | null;
  version: number;
  sent: string | null;
  /** The last agreed path; null if never synced. */
  path: string | null;
  /** 1: may differ from what was synced. 2: refused by the replica. */
  dirty: number;
  /** Why it was refused or could not be sent. */
  problem: string | null;
}

export interface SyncInboxRow extends ReplicaRow {
  key: string;
  /** JSON as received. */
  item: string;
  reason: string;
}

export interface SyncTables {
  sync_projects: SyncedProjectRow;
  sync_items: SyncedItemRow;
  sync_inbox: SyncInboxRow;
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
      await sql`
        update cloud_sync_items set sent = sent || ' ' || path
        where key >= 'e:' and key < 'e;' and sent != ${ABSENT} and path is not null`.execute(db);
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
  {
    name: 'sync-8-replicas',
    // The tables knew no replica besides the cloud.
    async up(db, { text, bigint }) {
      const { schema } = db;
      const ofReplica = notNull(text, 'tenant_id', 'project_id', 'replica');
      await createTable(schema, 'sync_projects', [
        ofReplica,
        notNull(text, 'address'),
        nullable(text, 'account'),
        notNull('integer', 'periodic'),
        nullable(text, 'cursor', 'last', 'last_synced_at'),
        keyOf('tenant_id', 'project_id', 'replica'),
      ]);
      await createTable(schema, 'sync_items', [
        ofReplica,
        notNull(text, 'key'),
        nullable(text, 'sha256'),
        notNull(bigint, 'version'),
        nullable(text, 'sent', 'path'),
        notNull('integer', 'dirty'),
        nullable(text, 'problem'),
        keyOf('tenant_id', 'project_id', 'replica', 'key'),
      ]);
      await createTable(schema, 'sync_inbox', [
        ofReplica,
        notNull(text, 'key', 'item', 'reason'),
        keyOf('tenant_id', 'project_id', 'replica', 'key'),
      ]);
      await sql`
        insert into sync_projects
          (tenant_id, project_id, replica, address, account, periodic, cursor, last, last_synced_at)
        select tenant_id, project_id, 'cloud', cloud_url, cloud_tenant, periodic, cursor, last, last_synced_at
        from cloud_sync_projects`.execute(db);
      await sql`
        insert into sync_items
          (tenant_id, project_id, replica, key, sha256, version, sent, path, dirty, problem)
        select tenant_id, project_id, 'cloud', key, sha256, version, sent, path, dirty, problem
        from cloud_sync_items`.execute(db);
      await sql`
        insert into sync_inbox (tenant_id, project_id, replica, key, item, reason)
        select tenant_id, project_id, 'cloud', key, item, reason from cloud_sync_inbox`.execute(db);
      await sql`update feed_cursors set reader = 'sync cloud' where reader = 'sync'`.execute(db);
      for (const table of ['cloud_sync_projects', 'cloud_sync_items', 'cloud_sync_inbox'])
        await schema.dropTable(table).execute();
      await createIndex(schema, 'sync_items_path', 'sync_items', [
        'tenant_id',
        'project_id',
        'replica',
        'path',
      ]);
      const ofItems = (name: string) =>
        schema.createIndex(name).on('sync_items').columns(['tenant_id', 'project_id', 'replica', 'key']);
      await ofItems('sync_items_dirty').where(sql.ref('dirty'), '>', 0).execute();
      await ofItems('sync_items_sent').where(sql.ref('sent'), 'is not', null).execute();
    },
  },
];
