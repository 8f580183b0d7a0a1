import type { Migration } from '../../platform/database/migration.ts';

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
}

export interface OAuthTables {
  oauth_identities: IdentityRow;
  oauth_connections: ConnectionRow;
}

export const oauthMigrations: readonly Migration[] = [
  {
    name: 'oauth-1',
    async up({ schema }, { text }) {
      await schema
        .createTable('oauth_identities')
        .addColumn('provider', text, (column) => column.notNull())
        .addColumn('subject', text, (column) => column.notNull())
        .addColumn('user_id', text, (column) =>
          column.notNull().references('users.user_id').onDelete('cascade'),
        )
        .addColumn('created_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('oauth_identities_key', ['provider', 'subject'])
        .execute();
      await schema.createIndex('oauth_identities_user').on('oauth_identities').column('user_id').execute();
      await schema
        .createTable('oauth_connections')
        .addColumn('user_id', text, (column) =>
          column.notNull().references('users.user_id').onDelete('cascade'),
        )
        .addColumn('provider', text, (column) => column.notNull())
        .addColumn('access_token', text, (column) => column.notNull())
        .addColumn('refresh_token', text)
        .addColumn('expires_at', text)
        .addColumn('scopes', text, (column) => column.notNull())
        .addColumn('connected_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('oauth_connections_key', ['user_id', 'provider'])
        .execute();
    },
  },
];
