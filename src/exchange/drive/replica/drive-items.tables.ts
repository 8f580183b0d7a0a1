import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../../platform/database/tables.ts';
import type { SyncKey } from '../../sync/index.ts';

/** A file or folder in a connected folder of a drive, as it was last seen or written. */
export interface DriveItemRow {
  tenant_id: string;
  project_id: string;
  file_id: string;
  parent_id: string | null;
  name: string;
  /** `document`: one of the drive's own, which has no bytes and is exported. */
  kind: 'folder' | 'file' | 'document';
  /** Milliseconds by the drive's clock. Of equal names, the older one counts. */
  created_at: number;
  /** Of the content, or of a document's exported text; null if unknown. */
  sha256: string | null;
  size: number | null;
  head_revision: string | null;
  /** 0: to be created, or the answer was lost. */
  version: number;
  /** 1: it lies in the trash itself. */
  trashed: number;
  /** 1: no longer visible. That is no evidence of a deletion, so path and key stay. */
  unseen: number;
  /** 1: made by this app. */
  own: number;
  /** Here, which is from the connected folder (`names-here.ts`); null outside of it and in the trash. */
  path: string | null;
  /** The key it is synced as, or was until it was trashed; null for folders and for files that are left. */
  key: SyncKey | null;
  /** The hash of what this install began to write, until the drive has answered. */
  writing: string | null;
  /** The drive's session for a large content, which is the one of `writing`; null unless it is under way. */
  session: string | null;
  /** The hash of a content that nobody wants: this install wrote a file that changed while it was read. */
  unwanted: string | null;
  /** To be compared with what is synced. Names the page token that it came with, so that a repeated page finds it again. */
  pending: string | null;
  /** The reason it is not here, or not as it is in the drive; shown to users after every round. */
  problem: string | null;
}

export type DriveItemsDb = Kysely<{ drive_items: DriveItemRow }>;

export const driveItemMigrations: readonly Migration[] = [
  {
    name: 'drive-2-items',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'drive_items', [
        notNull(text, 'tenant_id', 'project_id', 'file_id'),
        nullable(text, 'parent_id'),
        notNull(text, 'name', 'kind'),
        notNull(bigint, 'created_at'),
        nullable(text, 'sha256'),
        nullable(bigint, 'size'),
        nullable(text, 'head_revision'),
        notNull(bigint, 'version'),
        notNull('integer', 'trashed', 'unseen', 'own'),
        nullable(text, 'path', 'key', 'writing', 'unwanted', 'pending', 'problem'),
        keyOf('tenant_id', 'project_id', 'file_id'),
      ]);
      const scope = ['tenant_id', 'project_id'];
      await createIndex(schema, 'drive_items_by_parent', 'drive_items', [...scope, 'parent_id']);
      await createIndex(schema, 'drive_items_by_path', 'drive_items', [...scope, 'path']);
      await createIndex(schema, 'drive_items_by_key', 'drive_items', [...scope, 'key']);
      await schema
        .createIndex('drive_items_pending')
        .on('drive_items')
        .columns([...scope, 'file_id'])
        .where(sql.ref('pending'), 'is not', null)
        .execute();
      await schema
        .createIndex('drive_items_with_problem')
        .on('drive_items')
        .columns([...scope, 'path'])
        .where(sql.ref('problem'), 'is not', null)
        .execute();
    },
  },
  {
    name: 'drive-3-sessions',
    async up({ schema }, { text }) {
      await schema.alterTable('drive_items').addColumn('session', text).execute();
    },
  },
];
