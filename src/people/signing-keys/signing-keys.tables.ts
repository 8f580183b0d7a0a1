import type { Migration } from '../../platform/database/migration.ts';
import { createTable, key, notNull, nullable } from '../../platform/database/tables.ts';

export interface SigningKeyRow {
  key_id: string;
  /** JSON Web Key. */
  public_jwk: string;
  /** JSON Web Key, encrypted. */
  private_sealed: string;
  created_at: string;
  /** Time since which another key signs; null for the signing key. */
  retired_at: string | null;
}

export interface SigningKeyTables {
  signing_keys: SigningKeyRow;
}

export const signingKeyMigrations: readonly Migration[] = [
  {
    name: 'signing-keys-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'signing_keys', [
        key(text, 'key_id'),
        notNull(text, 'public_jwk', 'private_sealed', 'created_at'),
        nullable(text, 'retired_at'),
      ]);
    },
  },
];
