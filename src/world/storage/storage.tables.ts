import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import type { RecordTables } from '../records/index.ts';

/** The storage that a tenant has set. Without a row, the installation's default is used. */
export interface StorageSettingsRow {
  tenant_id: string;
  /** Changes with each update: an open store belongs to one revision. */
  revision: string;
  provider: string;
  /** The place and its credentials, sealed together: a change of the address alone would send the credentials there. */
  place: string;
  updated_at: string;
  updated_by: string;
}

/** The place of a tenant's content. Without a row it is the installation's default. */
export interface StorageContentRow {
  tenant_id: string;
  /** Changes with each update. */
  revision: string;
  /** Sealed like the settings; null for the installation's own folder. */
  place: string | null;
  /** Changes of files are blocked until this time, for the last round of a move (milliseconds since the epoch). */
  frozen_until: number;
}

export type MoveStatus = 'copying' | 'done' | 'cancelled';

export interface StorageMoveRow {
  tenant_id: string;
  move_id: string;
  status: MoveStatus;
  /** Sealed places; null for the installation's own folder. */
  from_place: string | null;
  to_place: string | null;
  files_total: number;
  files_done: number;
  bytes_total: number;
  bytes_done: number;
  /** The last problem; the move retries by itself. */
  problem: string | null;
  started_at: string;
  finished_at: string | null;
  started_by: string;
}

/** The hash of a file whose copy has begun: whatever is at the new place is the move's own. */
export const NOT_YET_COPIED = '';

export interface StorageMoveFileRow {
  tenant_id: string;
  project_id: string;
  path: string;
  size: number;
  sha256: string;
  /** The stat at the old place, and the one at the new place. */
  from_mtime_ms: number;
  from_ctime_ms: number;
  from_ino: number;
  to_mtime_ms: number;
  to_ctime_ms: number;
  to_ino: number;
}

export interface StorageTables {
  storage_settings: StorageSettingsRow;
  storage_content: StorageContentRow;
  storage_moves: StorageMoveRow;
  storage_move_files: StorageMoveFileRow;
}

export type StorageDb = Kysely<StorageTables & RecordTables>;

export const storageMigrations: readonly Migration[] = [
  {
    name: 'storage-1',
    async up({ schema }, { text }) {
      await schema
        .createTable('storage_settings')
        .addColumn('tenant_id', text, (column) => column.primaryKey())
        .addColumn('revision', text, (column) => column.notNull())
        .addColumn('provider', text, (column) => column.notNull())
        .addColumn('place', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addColumn('updated_by', text, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'storage-2',
    async up({ schema }, { text, bigint, double }) {
      await schema
        .createTable('storage_content')
        .addColumn('tenant_id', text, (column) => column.primaryKey())
        .addColumn('revision', text, (column) => column.notNull())
        .addColumn('place', text)
        .addColumn('frozen_until', bigint, (column) => column.notNull())
        .execute();
      await schema
        .createTable('storage_moves')
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('move_id', text, (column) => column.primaryKey())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('from_place', text)
        .addColumn('to_place', text)
        .addColumn('files_total', bigint, (column) => column.notNull())
        .addColumn('files_done', bigint, (column) => column.notNull())
        .addColumn('bytes_total', bigint, (column) => column.notNull())
        .addColumn('bytes_done', bigint, (column) => column.notNull())
        .addColumn('problem', text)
        .addColumn('started_at', text, (column) => column.notNull())
        .addColumn('finished_at', text)
        .addColumn('started_by', text, (column) => column.notNull())
        .execute();
      await schema
        .createTable('storage_move_files')
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('project_id', text, (column) => column.notNull())
        .addColumn('path', text, (column) => column.notNull())
        .addColumn('size', bigint, (column) => column.notNull())
        .addColumn('sha256', text, (column) => column.notNull())
        .addColumn('from_mtime_ms', double, (column) => column.notNull())
        .addColumn('from_ctime_ms', double, (column) => column.notNull())
        .addColumn('from_ino', double, (column) => column.notNull())
        .addColumn('to_mtime_ms', double, (column) => column.notNull())
        .addColumn('to_ctime_ms', double, (column) => column.notNull())
        .addColumn('to_ino', double, (column) => column.notNull())
        .addPrimaryKeyConstraint('storage_move_files_key', ['tenant_id', 'project_id', 'path'])
        .execute();
    },
  },
];
