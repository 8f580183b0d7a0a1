import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import type { RecordTables } from '../records/index.ts';

/** Where a tenant's files are stored. Without a row they are where the installation puts them. */
export interface StorageSettingsRow {
  tenant_id: string;
  /** Another one with each change: an open store belongs to one of them. */
  revision: string;
  provider: string;
  /** The whole place with its credentials, sealed: whoever could change the address alone would be sent them. */
  place: string;
  updated_at: string;
  updated_by: string;
}

/** Where a tenant's content is. Without a row it is where the installation puts it. */
export interface StorageContentRow {
  tenant_id: string;
  /** Another one with each change. */
  revision: string;
  /** Sealed like the settings; null is the installation's own folder. */
  place: string | null;
  /** Until then nobody changes files: what is left of a move is being copied (milliseconds since the epoch). */
  frozen_until: number;
}

export type MoveStatus = 'copying' | 'done' | 'cancelled';

/** Content on its way from one place to another. */
export interface StorageMoveRow {
  tenant_id: string;
  move_id: string;
  status: MoveStatus;
  /** Sealed places; null is the installation's own folder. */
  from_place: string | null;
  to_place: string | null;
  files_total: number;
  files_done: number;
  bytes_total: number;
  bytes_done: number;
  /** What hindered it last; it goes on by itself. */
  problem: string | null;
  started_at: string;
  finished_at: string | null;
  started_by: string;
}

/** The hash of a file that a move began to copy: what is at the new place is its own, whatever it is. */
export const NOT_YET_COPIED = '';

/** A file that a move has copied and read back, or began to. */
export interface StorageMoveFileRow {
  tenant_id: string;
  project_id: string;
  path: string;
  size: number;
  sha256: string;
  /** How it was found at the old place, and how at the new one. */
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

/** The tables of this module and of the records below it. */
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
