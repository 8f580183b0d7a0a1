import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';

/** A sign-in and the family of refresh tokens that follows it. */
export interface SessionRow {
  session_id: string;
  user_id: string;
  /** The user's epoch when the session began. */
  session_epoch: number;
  /** Number of the valid refresh token; each use advances it. */
  refresh_number: number;
  refreshed_at: string;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
}

export interface SessionTables {
  auth_sessions: SessionRow;
}

export interface PasswordResetRow {
  /** SHA-256 of the token, which itself is not stored. */
  token_hash: string;
  user_id: string;
  /** The user's epoch when it was made: it ends when the password changes. */
  session_epoch: number;
  expires_at: string;
}

export interface PasswordResetTables {
  password_resets: PasswordResetRow;
}

export const sessionMigrations: readonly Migration[] = [
  {
    name: 'auth-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'auth_sessions', [
        key(text, 'session_id'),
        notNull(text, 'user_id'),
        notNull('integer', 'session_epoch', 'refresh_number'),
        notNull(text, 'refreshed_at', 'created_at', 'expires_at'),
        nullable(text, 'revoked_at'),
      ]);
      await createIndex(schema, 'auth_sessions_expiry', 'auth_sessions', ['expires_at']);
    },
  },
  {
    name: 'auth-2',
    async up({ schema }, { text }) {
      await createTable(schema, 'password_resets', [
        key(text, 'token_hash'),
        (table) =>
          table.addColumn('user_id', text, (column) =>
            column.notNull().references('users.user_id').onDelete('cascade'),
          ),
        notNull('integer', 'session_epoch'),
        notNull(text, 'expires_at'),
      ]);
    },
  },
];
