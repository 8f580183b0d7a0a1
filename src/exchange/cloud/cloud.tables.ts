import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, key, notNull, nullable } from '../../platform/database/tables.ts';

export interface CloudLinkRow {
  tenant_id: string;
  url: string;
  /** Sealed JSON of both tokens. */
  tokens: string;
  /** Expiry of the access token (ms). */
  expires_at: number;
  /** The user's display name. */
  account: string;
  linked_at: string;
  /** Why the cloud no longer accepts the tokens; null while it does. */
  ended: string | null;
}

/** A conflict that the cloud keeps. */
export interface CloudConflictRow {
  tenant_id: string;
  project_id: string;
  conflict_id: string;
  entity_type: string;
  entity_id: string;
  status: 'unresolved' | 'resolved';
  /** JSON as received. */
  record: string;
  /** JSON of the answer given here, until it is delivered. */
  answer: string | null;
  detected_at: string;
}

/** The engine's migrations create the table of conflicts (`cloud-sync-2-state`). */
export type CloudDb = Kysely<{ cloud_links: CloudLinkRow; cloud_sync_conflicts: CloudConflictRow }>;

export const cloudMigrations: readonly Migration[] = [
  {
    name: 'cloud-sync-1-links',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'cloud_links', [
        key(text, 'tenant_id'),
        notNull(text, 'url', 'tokens'),
        notNull(bigint, 'expires_at'),
        notNull(text, 'account', 'linked_at'),
        nullable(text, 'ended'),
      ]);
    },
  },
];
