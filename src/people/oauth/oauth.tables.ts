import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

/** A person's account at a provider, and the user that it belongs to. */
export interface IdentityRow {
  provider: string;
  /** The provider's own id of the account. */
  subject: string;
  user_id: string;
  created_at: string;
}

/** Access to a person's files at a provider. The columns of tokens and expiry are sealed. */
export interface ConnectionRow {
  user_id: string;
  provider: string;
  access_token: string;
  refresh_token: string | null;
  expires_at: string | null;
  /** Separated by spaces. */
  scopes: string;
  connected_at: string;
  /** Null if the tokens are as the provider first gave them. */
  refreshed_at: string | null;
}

/** A connection that the provider ended. Its tokens are gone; the row says why until the user connects again or removes it. */
export interface EndedConnectionRow {
  user_id: string;
  provider: string;
  ended_at: string;
  /** For users. */
  problem: string;
}

export interface OAuthTables {
  oauth_identities: IdentityRow;
  oauth_connections: ConnectionRow;
  oauth_ended_connections: EndedConnectionRow;
}

export const oauthMigrations: readonly Migration[] = [
  {
    name: 'oauth-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'oauth_identities', [
        notNull(text, 'provider', 'subject'),
        (table) =>
          table.addColumn('user_id', text, (column) =>
            column.notNull().references('users.user_id').onDelete('cascade'),
          ),
        notNull(text, 'created_at'),
        keyOf('provider', 'subject'),
      ]);
      await createIndex(schema, 'oauth_identities_user', 'oauth_identities', ['user_id']);
      await createTable(schema, 'oauth_connections', [
        (table) =>
          table.addColumn('user_id', text, (column) =>
            column.notNull().references('users.user_id').onDelete('cascade'),
          ),
        notNull(text, 'provider', 'access_token'),
        nullable(text, 'refresh_token', 'expires_at'),
        notNull(text, 'scopes', 'connected_at'),
        keyOf('user_id', 'provider'),
      ]);
    },
  },
  {
    name: 'oauth-2',
    async up({ schema }, { text }) {
      await schema.alterTable('oauth_connections').addColumn('refreshed_at', text).execute();
      // A table of its own: in `oauth_connections` every row has an access token.
      await createTable(schema, 'oauth_ended_connections', [
        (table) =>
          table.addColumn('user_id', text, (column) =>
            column.notNull().references('users.user_id').onDelete('cascade'),
          ),
        notNull(text, 'provider', 'ended_at', 'problem'),
        keyOf('user_id', 'provider'),
      ]);
    },
  },
];
