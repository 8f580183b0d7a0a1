import type { Migration } from '../../platform/database/migration.ts';

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
      await schema
        .createTable('auth_sessions')
        .addColumn('session_id', text, (column) => column.primaryKey())
        .addColumn('user_id', text, (column) => column.notNull())
        .addColumn('session_epoch', 'integer', (column) => column.notNull())
        .addColumn('refresh_number', 'integer', (column) => column.notNull())
        .addColumn('refreshed_at', text, (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('expires_at', text, (column) => column.notNull())
        .addColumn('revoked_at', text)
        .execute();
      await schema.createIndex('auth_sessions_expiry').on('auth_sessions').column('expires_at').execute();
    },
  },
  {
    name: 'auth-2',
    async up({ schema }, { text }) {
      await schema
        .createTable('password_resets')
        .addColumn('token_hash', text, (column) => column.primaryKey())
        .addColumn('user_id', text, (column) =>
          column.notNull().references('users.user_id').onDelete('cascade'),
        )
        .addColumn('session_epoch', 'integer', (column) => column.notNull())
        .addColumn('expires_at', text, (column) => column.notNull())
        .execute();
    },
  },
];
