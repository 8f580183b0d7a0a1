import type { Kysely, Selectable } from 'kysely';
import type { PlanName } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../records/index.ts';
import type { ChangeSource } from '../texts/index.ts';

export type OperationKind = 'import' | 'fix' | 'rename' | 'migration' | 'ai' | 'undo';

/**
 * `planning`: the plan is incomplete and nothing has changed yet. `cancelling`: a user has asked it to stop. `failed`:
 * nothing was changed. `undone`: another operation has undone all of it.
 */
export type OperationStatus =
  | 'planning'
  | 'running'
  | 'cancelling'
  | 'done'
  | 'partial'
  | 'cancelled'
  | 'failed'
  | 'undone';

export interface OperationsTable {
  operation_id: string;
  tenant_id: string;
  project_id: string;
  kind: OperationKind;
  label: string;
  source: ChangeSource;
  status: OperationStatus;
  total: number;
  /** Results of the steps; counted at the end. */
  applied: number;
  skipped: number;
  /** The operation that this one undoes. */
  undoes: string | null;
  /** The last operation that undid this one, at least in part. */
  undone_by: string | null;
  /** 1 if a caller got its id before the end, so that it stays even if its plan fails. */
  told: number;
  reason: string | null;
  created_by: string;
  plan: PlanName;
  started_at: string;
  finished_at: string | null;
}

export type StepKind =
  | 'create'
  | 'write'
  | 'move'
  | 'asset'
  | 'template'
  | 'delete'
  | 'restore'
  | 'drop'
  | 'return';
export type StepState = 'planned' | 'done' | 'skipped';

/** One file of an operation: the plan first, the data for an undo later. */
export interface OperationStepsTable {
  operation_id: string;
  position: number;
  tenant_id: string;
  kind: StepKind;
  entity_type: string | null;
  entity_id: string | null;
  to_id: string | null;
  path: string | null;
  origin: string | null;
  state: StepState;
  reason: string | null;
  /** The whole text that was read and its replacement (an asset's bytes in base64). Emptied once the step is over. */
  base: string | null;
  text: string | null;
  /** Of the file before and after the step. */
  base_checksum: string | null;
  checksum: string | null;
  /** The changed entity's row id, and its versions before and after; null if nothing was to be changed. */
  row_id: number | null;
  version_before: number | null;
  version_after: number | null;
}

export type OperationRow = Selectable<OperationsTable>;
export type StepRow = Selectable<OperationStepsTable>;

export interface ChangesetTables extends RecordTables {
  operations: OperationsTable;
  operation_steps: OperationStepsTable;
}

export type ChangesetDb = Kysely<ChangesetTables>;

export const changesetMigrations: readonly Migration[] = [
  {
    name: 'changesets-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'operations', [
        key(text, 'operation_id'),
        notNull(text, 'tenant_id', 'project_id', 'kind', 'label', 'source', 'status'),
        notNull('integer', 'total', 'applied', 'skipped'),
        nullable(text, 'undoes', 'undone_by'),
        notNull(text, 'created_by', 'plan', 'started_at'),
        nullable(text, 'finished_at'),
      ]);
      await createIndex(schema, 'operations_by_time', 'operations', [
        'tenant_id',
        'project_id',
        'started_at',
        'operation_id',
      ]);
      await createTable(schema, 'operation_steps', [
        notNull(text, 'operation_id'),
        notNull('integer', 'position'),
        notNull(text, 'tenant_id', 'kind'),
        nullable(text, 'entity_type', 'entity_id', 'to_id', 'path'),
        notNull(text, 'state'),
        nullable(text, 'reason', 'base', 'text', 'base_checksum', 'checksum'),
        nullable(bigint, 'row_id', 'version_before', 'version_after'),
        keyOf('operation_id', 'position'),
      ]);
    },
  },
  {
    name: 'changesets-2',
    async up({ schema }, { text }) {
      await schema.alterTable('operation_steps').addColumn('origin', text).execute();
    },
  },
  {
    name: 'changesets-3',
    async up({ schema }, { text }) {
      await schema
        .alterTable('operations')
        .addColumn('told', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
      await schema.alterTable('operations').addColumn('reason', text).execute();
    },
  },
];
