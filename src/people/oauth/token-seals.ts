import type { SecretBox } from '../../kit/secret-box.ts';
import type { ConnectionRow } from './oauth.tables.ts';

export interface StoredTokens {
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601; null if unknown. */
  expiresAt: string | null;
}

/** A user's connection to a provider. */
export type ConnectionKey = Pick<ConnectionRow, 'user_id' | 'provider'>;

type Column = 'access_token' | 'refresh_token' | 'expires_at';
type SealedTokens = Pick<ConnectionRow, Column>;

/** Tokens as they are stored: sealed, each for its user, provider and column. */
export function createTokenSeals(box: SecretBox) {
  const contextOf = ({ user_id, provider }: ConnectionKey, column: Column) =>
    `oauth_connections ${user_id} ${provider} ${column}`;

  return {
    seal(key: ConnectionKey, { accessToken, refreshToken, expiresAt }: StoredTokens): SealedTokens {
      const seal = (text: string, column: Column) => box.seal(text, contextOf(key, column));
      return {
        access_token: seal(accessToken, 'access_token'),
        refresh_token: refreshToken === null ? null : seal(refreshToken, 'refresh_token'),
        expires_at: expiresAt === null ? null : seal(expiresAt, 'expires_at'),
      };
    },

    open(row: ConnectionRow): StoredTokens {
      const open = (sealed: string, column: Column) => box.open(sealed, contextOf(row, column));
      return {
        accessToken: open(row.access_token, 'access_token'),
        refreshToken: row.refresh_token === null ? null : open(row.refresh_token, 'refresh_token'),
        expiresAt: row.expires_at === null ? null : open(row.expires_at, 'expires_at'),
      };
    },
  };
}

export type TokenSeals = ReturnType<typeof createTokenSeals>;
