import type { Kysely, Selectable } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../records/index.ts';

export type ConflictStatus = 'unresolved' | 'resolved';
export type Resolution = 'local' | 'remote' | 'merged';

/** One side of a conflict. Its text is stored here, out of reach of the history's limits. */
export interface ConflictSide {
  /** Null if the text never was a version of the entity. */
  version: number | null;
  text: string;
  updated_at: string | null;
  updated_by: string | null;
}

/** Two overlapping changes of one entity. `local` is the project's state, `remote` the incoming one. */
export interface ConflictsTable {
  conflict_id: string;
  tenant_id: string;
  project_id: string;
  row_id: number;
  entity_type: string;
  entity_id: string;
  status: ConflictStatus;
  conflicting_fields: string;
  /** JSON of a `ConflictSide`; null if the common base is unknown. */
  base: string | null;
  local: string;
  remote: string;
  /** Checksum of the remote text, by which a repeated one is recognised. */
  remote_checksum: string;
  /** Path of the file with the remote text; null if it came by a request. */
  copy_path: string | null;
  /** 1 if an install pushed the remote text: there it is shown as `local`, and the project's own text as `remote`. */
  is_pushed: number;
  /** The sequence number of its creation or resolution. */
  seq: number;
  detected_at: string;
  resolution: Resolution | null;
  resolved_at: string | null;
  resolved_by: string | null;
}

export type ConflictRow = Selectable<ConflictsTable>;
/** A record before the database has numbered it. */
export type NewRow = Omit<ConflictRow, 'seq'>;
export type ConflictDb = Kysely<RecordTables & { conflicts: ConflictsTable }>;

export const conflictMigrations: readonly Migration[] = [
  {
    name: 'conflicts-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'conflicts', [
        key(text, 'conflict_id'),
        notNull(text, 'tenant_id', 'project_id'),
        notNull(bigint, 'row_id'),
        notNull(text, 'entity_type', 'entity_id', 'status', 'conflicting_fields'),
        nullable(text, 'base'),
        notNull(text, 'local', 'remote', 'remote_checksum'),
        nullable(text, 'copy_path'),
        notNull(text, 'detected_at'),
        nullable(text, 'resolution', 'resolved_at', 'resolved_by'),
      ]);
      await createIndex(schema, 'conflicts_by_time', 'conflicts', [
        'tenant_id',
        'project_id',
        'status',
        'detected_at',
      ]);
      await createIndex(schema, 'conflicts_by_row', 'conflicts', ['tenant_id', 'row_id', 'remote_checksum']);
    },
  },
  {
    name: 'conflicts-2-replication',
    async up({ schema }, { bigint }) {
      await schema
        .alterTable('conflicts')
        .addColumn('is_pushed', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
      await schema
        .alterTable('conflicts')
        .addColumn('seq', bigint, (c) => c.notNull().defaultTo(0))
        .execute();
      await createIndex(schema, 'conflicts_by_seq', 'conflicts', ['tenant_id', 'project_id', 'seq']);
    },
  },
];
