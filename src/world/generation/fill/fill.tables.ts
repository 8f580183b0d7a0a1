import type { Kysely, Selectable } from 'kysely';
import type { Migration } from '../../../platform/database/migration.ts';
import {
  createIndex,
  createTable,
  key,
  keyOf,
  notNull,
  nullable,
} from '../../../platform/database/tables.ts';
import type { RecordTables } from '../../records/index.ts';
import type { FillState, FillStatus } from './fill.contract.ts';

interface FillsTable {
  run_id: string;
  tenant_id: string;
  project_id: string;
  /** Of all its proposals. */
  change_set_id: string;
  entity_type: string;
  status: FillStatus;
  /** `FillRequest` as JSON. */
  request: string;
  /** `AiCaller` as JSON. */
  caller: string;
  max_credits: number;
  reason: string | null;
  created_by: string;
  started_at: string;
  finished_at: string | null;
}

interface FillEntitiesTable {
  run_id: string;
  row_id: number;
  tenant_id: string;
  project_id: string;
  state: FillState;
  /** Held back while a model is asked. */
  reserved: number;
  credits: number;
  proposal_id: string | null;
  detail: string | null;
}

export type FillRow = Selectable<FillsTable>;
export type FillEntityRow = Selectable<FillEntitiesTable>;

export type FillDb = Kysely<RecordTables & { ai_fills: FillsTable; ai_fill_entities: FillEntitiesTable }>;

export const fillMigrations: readonly Migration[] = [
  {
    name: 'generation-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'ai_fills', [
        key(text, 'run_id'),
        notNull(
          text,
          'tenant_id',
          'project_id',
          'change_set_id',
          'entity_type',
          'status',
          'request',
          'caller',
        ),
        notNull('integer', 'max_credits'),
        nullable(text, 'reason'),
        notNull(text, 'created_by', 'started_at'),
        nullable(text, 'finished_at'),
      ]);
      await createIndex(schema, 'ai_fills_by_status', 'ai_fills', ['tenant_id', 'project_id', 'status']);
      await createTable(schema, 'ai_fill_entities', [
        notNull(text, 'run_id'),
        notNull(bigint, 'row_id'),
        notNull(text, 'tenant_id', 'project_id', 'state'),
        notNull('integer', 'reserved', 'credits'),
        nullable(text, 'proposal_id', 'detail'),
        keyOf('run_id', 'row_id'),
      ]);
    },
  },
];
