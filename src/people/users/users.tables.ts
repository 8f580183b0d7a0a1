import type { Role } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, key, notNull, nullable } from '../../platform/database/tables.ts';

export interface UserRow {
  user_id: string;
  tenant_id: string;
  /** Normalised, unique. */
  email: string;
  display_name: string;
  password_hash: string;
  role: Role;
  tenant_role: Role;
  avatar_url: string | null;
  /** 0 or 1, as is `is_active`. */
  email_verified: number;
  /** Time at which a link in a mail verified the address; null if it was known from the start, or no longer matters. */
  email_verified_at: string | null;
  is_active: number;
  created_at: string;
  updated_at: string;
  /** A session with another epoch has ended. */
  session_epoch: number;
}

export interface PreferencesRow {
  user_id: string;
  /** A JSON object. */
  json: string;
  updated_at: string;
}

export interface UserTables {
  users: UserRow;
  user_preferences: PreferencesRow;
}

export const userMigrations: readonly Migration[] = [
  {
    name: 'users-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'users', [
        key(text, 'user_id'),
        notNull(text, 'tenant_id'),
        (table) => table.addColumn('email', text, (column) => column.notNull().unique()),
        notNull(text, 'display_name', 'password_hash', 'role', 'tenant_role'),
        nullable(text, 'avatar_url'),
        notNull('integer', 'email_verified', 'is_active'),
        notNull(text, 'created_at', 'updated_at'),
        notNull('integer', 'session_epoch'),
      ]);
    },
  },
  {
    name: 'users-2',
    async up({ schema }, { text }) {
      await createTable(schema, 'user_preferences', [
        (table) =>
          table.addColumn('user_id', text, (column) =>
            column.primaryKey().references('users.user_id').onDelete('cascade'),
          ),
        notNull(text, 'json', 'updated_at'),
      ]);
    },
  },
  {
    name: 'users-3-verified-at',
    up: ({ schema }, { text }) => schema.alterTable('users').addColumn('email_verified_at', text).execute(),
  },
];
