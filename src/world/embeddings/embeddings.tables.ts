import type { Kysely, Selectable } from 'kysely';
import type { PlanName } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../records/index.ts';

/** The model with which a project compares texts, and its progress. A project has none before its first search by meaning. */
export interface EmbeddingIndexesTable {
  tenant_id: string;
  project_id: string;
  /** `provider` sends texts to the named provider. */
  choice: 'local' | 'provider' | 'off';
  provider: string | null;
  chosen_by: string | null;
  /** The plan of the one who chose: background work pays in their name. */
  chosen_plan: PlanName | null;
  /** Of the stored vectors; null before the first. */
  model: string | null;
  dimensions: number | null;
  /** Of the passage that was stored last. */
  last_number: number;
  /** Vectors up to this number are of another model, and are removed. */
  from_number: number;
  /** Why the last run ended early; null if it did not. */
  problem: string | null;
  updated_at: string;
}

/** A passage of an entity and its vector. */
export interface EmbeddingsTable {
  row_id: number;
  /** Unique in the project, and growing: what was stored later has a higher one. Those of an entity follow one another. */
  number: number;
  tenant_id: string;
  project_id: string;
  entity_type: string;
  /** Of the entity's state that was read: places are those of its file. */
  version: number;
  start_offset: number;
  end_offset: number;
  line_from: number;
  line_to: number;
  text_hash: string;
  code: Uint8Array;
  vector: Uint8Array;
}

export type EmbeddingIndexRow = Selectable<EmbeddingIndexesTable>;
export type EmbeddingRow = Selectable<EmbeddingsTable>;

export type EmbeddingsDb = Kysely<
  RecordTables & { embedding_indexes: EmbeddingIndexesTable; embeddings: EmbeddingsTable }
>;

export const embeddingMigrations: readonly Migration[] = [
  {
    name: 'embeddings-1',
    async up({ schema }, { text, bigint, bytes }) {
      await createTable(schema, 'embedding_indexes', [
        notNull(text, 'tenant_id', 'project_id', 'choice'),
        nullable(text, 'provider', 'chosen_by', 'chosen_plan', 'model'),
        nullable('integer', 'dimensions'),
        notNull(bigint, 'last_number', 'from_number'),
        nullable(text, 'problem'),
        notNull(text, 'updated_at'),
        keyOf('tenant_id', 'project_id'),
      ]);
      await createTable(schema, 'embeddings', [
        notNull(bigint, 'row_id', 'number'),
        notNull(text, 'tenant_id', 'project_id', 'entity_type'),
        notNull('integer', 'version', 'start_offset', 'end_offset', 'line_from', 'line_to'),
        notNull(text, 'text_hash'),
        notNull(bytes, 'code', 'vector'),
        keyOf('row_id', 'number'),
      ]);
      await createIndex(schema, 'embeddings_by_number', 'embeddings', ['tenant_id', 'project_id', 'number']);
    },
  },
];
