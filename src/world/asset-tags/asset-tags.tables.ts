import type { Kysely } from 'kysely';
import type { TagOrigin } from '../../content/assets/index.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { AssetTables } from '../assets/index.ts';

export interface TagRunsTable {
  tenant_id: string;
  project_id: string;
  run_id: string;
  /** JSON of the caller: models are asked in their name. */
  caller: string;
  /** Null where no model is asked. */
  provider: string | null;
  /** Null for no limit. */
  max_credits: number | null;
  created_at: string;
}

export type TagState = 'waiting' | 'done' | 'skipped';

/** The latest request for an asset. */
export interface TagRequestsTable {
  tenant_id: string;
  project_id: string;
  asset_id: string;
  run_id: string;
  state: TagState;
  /** Bytes and model that the suggestions are of; null before. */
  sha256: string | null;
  model: string | null;
  /** Held before a model is asked, then what it cost. */
  credits: number;
  /** Why it was skipped. */
  reason: string | null;
}

export type SuggestionStatus = 'pending' | 'accepted' | 'rejected';

export interface TagSuggestionsTable {
  tenant_id: string;
  project_id: string;
  asset_id: string;
  tag: string;
  /** Thousandths. */
  confidence: number;
  origin: TagOrigin;
  provider: string | null;
  model: string | null;
  status: SuggestionStatus;
  created_at: string;
  decided_at: string | null;
  /** Null where the project accepts by itself. */
  decided_by: string | null;
}

export interface TagTables extends AssetTables {
  asset_tag_runs: TagRunsTable;
  asset_tag_requests: TagRequestsTable;
  asset_tag_suggestions: TagSuggestionsTable;
}

export type TagDb = Kysely<TagTables>;

export const tagMigrations: readonly Migration[] = [
  {
    name: 'asset-tags-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'asset_tag_runs', [
        notNull(text, 'tenant_id', 'project_id', 'run_id', 'caller', 'created_at'),
        nullable(text, 'provider'),
        nullable('integer', 'max_credits'),
        keyOf('tenant_id', 'project_id', 'run_id'),
      ]);
      await createTable(schema, 'asset_tag_requests', [
        notNull(text, 'tenant_id', 'project_id', 'asset_id', 'run_id', 'state'),
        nullable(text, 'sha256', 'model', 'reason'),
        notNull('integer', 'credits'),
        keyOf('tenant_id', 'project_id', 'asset_id'),
      ]);
      await createTable(schema, 'asset_tag_suggestions', [
        notNull(text, 'tenant_id', 'project_id', 'asset_id', 'tag', 'origin', 'status', 'created_at'),
        notNull('integer', 'confidence'),
        nullable(text, 'provider', 'model', 'decided_at', 'decided_by'),
        keyOf('tenant_id', 'project_id', 'asset_id', 'tag'),
      ]);
    },
  },
];
