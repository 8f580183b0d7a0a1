import type { Role } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';

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
      await schema
        .createTable('invites')
        .addColumn('invite_id', text, (column) => column.primaryKey())
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('email', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('token_hash', text, (column) => column.notNull().unique())
        .addColumn('created_by', text)
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('expires_at', text, (column) => column.notNull())
        .addColumn('accepted_at', text)
        .execute();
      await schema.createIndex('invites_tenant').on('invites').columns(['tenant_id', 'created_at']).execute();
    },
  },
];
