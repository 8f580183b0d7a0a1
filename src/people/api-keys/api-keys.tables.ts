import type { Migration } from '../../platform/database/migration.ts';

export interface ApiKeyRow {
  key_id: string;
  user_id: string;
  name: string;
  /** SHA-256 of the key, which itself is not stored. */
  key_hash: string;
  /** The key's first characters, to recognize it by. */
  key_start: string;
  /** JSON list. */
  scopes: string;
  /** The owner's epoch when the key was made: the key ends when their sessions do. */
  session_epoch: number;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

export interface ApiKeyTables {
  api_keys: ApiKeyRow;
}

export const apiKeyMigrations: readonly Migration[] = [
  {
    name: 'api-keys-1',
    async up({ schema }, { text }) {
      await schema
        .createTable('api_keys')
        .addColumn('key_id', text, (column) => column.primaryKey())
        .addColumn('user_id', text, (column) =>
          column.notNull().references('users.user_id').onDelete('cascade'),
        )
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('key_hash', text, (column) => column.notNull().unique())
        .addColumn('key_start', text, (column) => column.notNull())
        .addColumn('scopes', text, (column) => column.notNull())
        .addColumn('session_epoch', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('expires_at', text)
        .addColumn('last_used_at', text)
        .execute();
      await schema.createIndex('api_keys_user').on('api_keys').column('user_id').execute();
    },
  },
];
