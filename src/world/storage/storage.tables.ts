import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
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
      await createTable(schema, 'storage_settings', [
        key(text, 'tenant_id'),
        notNull(text, 'revision', 'provider', 'place', 'updated_at', 'updated_by'),
      ]);
    },
  },
  {
    name: 'storage-2',
    async up({ schema }, { text, bigint, double }) {
      await createTable(schema, 'storage_content', [
        key(text, 'tenant_id'),
        notNull(text, 'revision'),
        nullable(text, 'place'),
        notNull(bigint, 'frozen_until'),
      ]);
      await createTable(schema, 'storage_moves', [
        notNull(text, 'tenant_id'),
        key(text, 'move_id'),
        notNull(text, 'status'),
        nullable(text, 'from_place', 'to_place'),
        notNull(bigint, 'files_total', 'files_done', 'bytes_total', 'bytes_done'),
        nullable(text, 'problem'),
        notNull(text, 'started_at'),
        nullable(text, 'finished_at'),
        notNull(text, 'started_by'),
      ]);
      await createTable(schema, 'storage_move_files', [
        notNull(text, 'tenant_id', 'project_id', 'path'),
        notNull(bigint, 'size'),
        notNull(text, 'sha256'),
        notNull(double, 'from_mtime_ms', 'from_ctime_ms', 'from_ino', 'to_mtime_ms', 'to_ctime_ms', 'to_ino'),
        keyOf('tenant_id', 'project_id', 'path'),
      ]);
    },
  },
];
