import type { Kysely, Selectable } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../records/index.ts';
import type { ProposalStatus } from './proposals.contract.ts';

export interface ProposalsTable {
  proposal_id: string;
  tenant_id: string;
  project_id: string;
  change_set_id: string | null;
  /** Survives renames, deletion and restoration; null until a proposed entity exists. */
  row_id: number | null;
  entity_type: string;
  /** As it was called when the proposal was made. */
  entity_id: string;
  base_version: number | null;
  status: ProposalStatus;
  /** 1 while a part can still be accepted. */
  is_open: number;
  /** 1 once a part was accepted: the row then stays as provenance. */
  is_used: number;
  /** Grows with every change, so that no two are made from the same state. */
  revision: number;
  /** The operation that applied or took back the parts together with others. */
  operation_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  /** `Parts` as JSON. */
  parts: string;
  /** `ProposalOrigin` as JSON. */
  origin: string;
  /** `{findings, canon_findings}` as JSON. */
  findings: string;
  /** `{fields, hunks}` as JSON. */
  content: string;
  /** The whole file that the parts are changes of, packed. */
  base: Uint8Array;
}

export type ProposalRow = Selectable<ProposalsTable>;

/** Proposals that are accepted as one operation, such as all of an agent's run. */
export interface ChangeSetsTable {
  change_set_id: string;
  tenant_id: string;
  project_id: string;
  title: string;
  agent: string | null;
  created_by: string;
  created_at: string;
  /** The last operation that applied it. */
  operation_id: string | null;
}

export type ChangeSetRow = Selectable<ChangeSetsTable>;

export interface ProposalTables extends RecordTables {
  proposals: ProposalsTable;
  change_sets: ChangeSetsTable;
}

export type ProposalsDb = Kysely<ProposalTables>;

export const proposalMigrations: readonly Migration[] = [
  {
    name: 'proposals-1',
    async up({ schema }, { text, bigint, bytes }) {
      await createTable(schema, 'proposals', [
        key(text, 'proposal_id'),
        notNull(text, 'tenant_id', 'project_id'),
        nullable(text, 'change_set_id'),
        nullable(bigint, 'row_id'),
        notNull(text, 'entity_type', 'entity_id'),
        nullable(bigint, 'base_version'),
        notNull(text, 'status'),
        notNull('integer', 'is_open', 'is_used', 'revision'),
        nullable(text, 'operation_id'),
        notNull(text, 'created_by', 'created_at', 'updated_at', 'parts', 'origin', 'findings', 'content'),
        notNull(bytes, 'base'),
      ]);
      const scope = ['tenant_id', 'project_id'];
      await createIndex(schema, 'proposals_by_time', 'proposals', [...scope, 'created_at', 'proposal_id']);
      await createIndex(schema, 'proposals_by_entity', 'proposals', [...scope, 'row_id']);
      await createIndex(schema, 'proposals_by_set', 'proposals', [...scope, 'change_set_id']);
      await createIndex(schema, 'proposals_by_operation', 'proposals', [...scope, 'operation_id']);
    },
  },
  {
    name: 'proposals-2',
    async up({ schema }, { text }) {
      await createTable(schema, 'change_sets', [
        key(text, 'change_set_id'),
        notNull(text, 'tenant_id', 'project_id', 'title'),
        nullable(text, 'agent'),
        notNull(text, 'created_by', 'created_at'),
        nullable(text, 'operation_id'),
      ]);
      const columns = ['tenant_id', 'project_id', 'created_at', 'change_set_id'];
      await createIndex(schema, 'change_sets_by_time', 'change_sets', columns);
    },
  },
];
