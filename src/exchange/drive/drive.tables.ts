import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

export type ConnectionSource = 'cloud' | 'desktop';

/** The folder of a drive that a project is kept equal to. */
export interface DriveConnectionRow {
  tenant_id: string;
  project_id: string;
  root_folder_id: string;
  root_folder_name: string;
  /** JSON list of the folders above it, as far as they could be seen when it was chosen. */
  parent_ids: string;
  /** The user whose tokens are used. */
  user_id: string;
  source: ConnectionSource;
  connected_at: string;
}

/** A project has two of them while one replaces the other. */
export interface DriveChannelRow {
  channel_id: string;
  tenant_id: string;
  project_id: string;
  /** The user whose tokens opened it, and can stop it. */
  user_id: string;
  /** Null until the drive has answered. */
  resource_id: string | null;
  /** SHA-256: the secret itself is needed by the drive alone. */
  secret_hash: string;
  /** Milliseconds. */
  ends_at: number;
  created_at: string;
}

export interface DriveTables {
  drive_connections: DriveConnectionRow;
  drive_channels: DriveChannelRow;
}

export type DriveDb = Kysely<DriveTables>;

export const driveMigrations: readonly Migration[] = [
  {
    name: 'drive-1-connections',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'drive_connections', [
        notNull(text, 'tenant_id', 'project_id', 'root_folder_id', 'root_folder_name', 'parent_ids'),
        notNull(text, 'user_id', 'source', 'connected_at'),
        keyOf('tenant_id', 'project_id'),
      ]);
      // Two projects in one folder would take each other's files for their own.
      await schema
        .createIndex('drive_connections_by_folder')
        .unique()
        .on('drive_connections')
        .column('root_folder_id')
        .execute();
      await createTable(schema, 'drive_channels', [
        key(text, 'channel_id'),
        notNull(text, 'tenant_id', 'project_id', 'user_id'),
        nullable(text, 'resource_id'),
        notNull(text, 'secret_hash'),
        notNull(bigint, 'ends_at'),
        notNull(text, 'created_at'),
      ]);
      await createIndex(schema, 'drive_channels_by_project', 'drive_channels', ['tenant_id', 'project_id']);
    },
  },
];
