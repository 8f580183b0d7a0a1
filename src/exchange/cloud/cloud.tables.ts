import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';

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

export type CloudDb = Kysely<{ cloud_links: CloudLinkRow }>;

export const cloudMigrations: readonly Migration[] = [
  {
    name: 'cloud-sync-1-links',
    async up({ schema }, { text, bigint }) {
      await schema
        .createTable('cloud_links')
        .addColumn('tenant_id', text, (column) => column.primaryKey())
        .addColumn('url', text, (column) => column.notNull())
        .addColumn('tokens', text, (column) => column.notNull())
        .addColumn('expires_at', bigint, (column) => column.notNull())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('linked_at', text, (column) => column.notNull())
        .addColumn('ended', text)
        .execute();
    },
  },
];
