import type { Kysely } from 'kysely';
import type { Dialect } from '../../kit/model-dialects.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

export interface ProviderRow {
  tenant_id: string;
  scope: 'tenant' | 'user';
  /** The user; empty for the tenant's own. */
  owner_id: string;
  name: string;
  kind: Dialect;
  base_url: string;
  model: string;
  /** JSON list of further models that the owner means to use. */
  models: string;
  embedding_model: string | null;
  context_tokens: number;
  max_output_tokens: number;
  /** Sealed; null if there is none. */
  api_key: string | null;
  updated_by: string;
  updated_at: string;
}

export interface ProviderTables {
  ai_providers: ProviderRow;
}
export type ProvidersDb = Kysely<ProviderTables>;

export const providerMigrations: readonly Migration[] = [
  {
    name: 'models-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'ai_providers', [
        notNull(text, 'tenant_id', 'scope', 'owner_id', 'name', 'kind', 'base_url', 'model', 'models'),
        nullable(text, 'embedding_model'),
        notNull('integer', 'context_tokens', 'max_output_tokens'),
        nullable(text, 'api_key'),
        notNull(text, 'updated_by', 'updated_at'),
        keyOf('tenant_id', 'scope', 'owner_id', 'name'),
      ]);
    },
  },
];
