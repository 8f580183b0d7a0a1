import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';

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
      await createTable(schema, 'api_keys', [
        key(text, 'key_id'),
        (table) =>
          table.addColumn('user_id', text, (column) =>
            column.notNull().references('users.user_id').onDelete('cascade'),
          ),
        notNull(text, 'name'),
        (table) => table.addColumn('key_hash', text, (column) => column.notNull().unique()),
        notNull(text, 'key_start', 'scopes'),
        notNull('integer', 'session_epoch'),
        notNull(text, 'created_at'),
        nullable(text, 'expires_at', 'last_used_at'),
      ]);
      await createIndex(schema, 'api_keys_user', 'api_keys', ['user_id']);
    },
  },
];
