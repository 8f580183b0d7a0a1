import type { Role } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';

export interface InviteRow {
  invite_id: string;
  tenant_id: string;
  /** Normalised. */
  email: string;
  role: Role;
  /** SHA-256 of the token, which itself is not stored. */
  token_hash: string;
  created_by: string | null;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
}

export interface InviteTables {
  invites: InviteRow;
}

export const inviteMigrations: readonly Migration[] = [
  {
    name: 'invites-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'invites', [
        key(text, 'invite_id'),
        notNull(text, 'tenant_id', 'email', 'role'),
        (table) => table.addColumn('token_hash', text, (column) => column.notNull().unique()),
        nullable(text, 'created_by'),
        notNull(text, 'created_at', 'expires_at'),
        nullable(text, 'accepted_at'),
      ]);
      await createIndex(schema, 'invites_tenant', 'invites', ['tenant_id', 'created_at']);
    },
  },
];
