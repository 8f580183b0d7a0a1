import type { Kysely, Selectable } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
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
export type ConflictDb = Kysely<RecordTables & { conflicts: ConflictsTable }>;

export const conflictMigrations: readonly Migration[] = [
  {
    name: 'conflicts-1',
    async up({ schema }, { text, bigint }) {
      await schema
        .createTable('conflicts')
        .addColumn('conflict_id', text, (c) => c.primaryKey())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('row_id', bigint, (c) => c.notNull())
        .addColumn('entity_type', text, (c) => c.notNull())
        .addColumn('entity_id', text, (c) => c.notNull())
        .addColumn('status', text, (c) => c.notNull())
        .addColumn('conflicting_fields', text, (c) => c.notNull())
        .addColumn('base', text)
        .addColumn('local', text, (c) => c.notNull())
        .addColumn('remote', text, (c) => c.notNull())
        .addColumn('remote_checksum', text, (c) => c.notNull())
        .addColumn('copy_path', text)
        .addColumn('detected_at', text, (c) => c.notNull())
        .addColumn('resolution', text)
        .addColumn('resolved_at', text)
        .addColumn('resolved_by', text)
        .execute();
      await schema
        .createIndex('conflicts_by_time')
        .on('conflicts')
        .columns(['tenant_id', 'project_id', 'status', 'detected_at'])
        .execute();
      await schema
        .createIndex('conflicts_by_row')
        .on('conflicts')
        .columns(['tenant_id', 'row_id', 'remote_checksum'])
        .execute();
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
      await schema
        .createIndex('conflicts_by_seq')
        .on('conflicts')
        .columns(['tenant_id', 'project_id', 'seq'])
        .execute();
    },
  },
];
