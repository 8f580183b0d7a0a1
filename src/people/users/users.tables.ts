import type { Role } from '../../access/plans.ts';
import type { Migration } from '../../platform/database/migration.ts';

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
      await schema
        .createTable('users')
        .addColumn('user_id', text, (column) => column.primaryKey())
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('email', text, (column) => column.notNull().unique())
        .addColumn('display_name', text, (column) => column.notNull())
        .addColumn('password_hash', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('tenant_role', text, (column) => column.notNull())
        .addColumn('avatar_url', text)
        .addColumn('email_verified', 'integer', (column) => column.notNull())
        .addColumn('is_active', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addColumn('session_epoch', 'integer', (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'users-2',
    async up({ schema }, { text }) {
      await schema
        .createTable('user_preferences')
        .addColumn('user_id', text, (column) =>
          column.primaryKey().references('users.user_id').onDelete('cascade'),
        )
        .addColumn('json', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'users-3-verified-at',
    up: ({ schema }, { text }) => schema.alterTable('users').addColumn('email_verified_at', text).execute(),
  },
];
