import type { Migration } from '../../platform/database/migration.ts';

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
      await schema
        .createTable('signing_keys')
        .addColumn('key_id', text, (column) => column.primaryKey())
        .addColumn('public_jwk', text, (column) => column.notNull())
        .addColumn('private_sealed', text, (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('retired_at', text)
        .execute();
    },
  },
];
