import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf, notFound } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Database } from '../../platform/database/database.ts';
import type { OAuthTokens } from '../../platform/oauth/oauth.ts';
import { createConnectionStore } from './connections.store.ts';
import type { ConnectionRow } from './oauth.tables.ts';
import type { Providers } from './providers.ts';

export interface Connection {
  provider: string;
  scopes: string[];
  connected_at: string;
}

export interface ConnectionsOptions {
  database: Database;
  box: SecretBox;
  providers: Providers;
  clock: Clock;
  log: Log;
}

type Column = 'access_token' | 'refresh_token' | 'expires_at';
type Owner = Pick<ConnectionRow, 'user_id' | 'provider'>;

const shown = ({ provider, scopes, connected_at }: ConnectionRow): Connection => ({
  provider,
  scopes: scopes.split(' '),
  connected_at,
});

/** Access to people's files at providers. The tokens are stored sealed and sent only to the provider (spec 2 §2.4). */
export function createConnections({ database, box, providers, clock, log }: ConnectionsOptions) {
  const store = createConnectionStore(database.system);
  const contextOf = ({ user_id, provider }: Owner, column: Column) =>
    `oauth_connections ${user_id} ${provider} ${column}`;
  const seal = (text: string | null, owner: Owner, column: Column) =>
    text === null ? null : box.seal(text, contextOf(owner, column));

  async function revoke(row: ConnectionRow): Promise<void> {
    const column = row.refresh_token === null ? 'access_token' : 'refresh_token';
    const token = box.open(row[column] ?? row.access_token, contextOf(row, column));
    await providers.storageOf(row.provider).revoke(token);
  }

  return {
    /** Replaces the stored tokens. */
    async keep(userId: string, provider: string, tokens: OAuthTokens): Promise<Connection> {
      const owner: Owner = { user_id: userId, provider };
      const now = clock.now();
      const expiry = tokens.expiresIn === null ? null : isoTime(now + tokens.expiresIn * 1000);
      const row: ConnectionRow = {
        ...owner,
        access_token: box.seal(tokens.accessToken, contextOf(owner, 'access_token')),
        refresh_token: seal(tokens.refreshToken, owner, 'refresh_token'),
        expires_at: seal(expiry, owner, 'expires_at'),
        scopes: tokens.scopes.join(' '),
        connected_at: isoTime(now),
      };
      await store.replace(row);
      return shown(row);
    },

    list: async (userId: string): Promise<Connection[]> => (await store.list(userId)).map(shown),

    /** Forgets the tokens, then tells the provider if possible. 404 if nothing is connected. */
    async remove(userId: string, provider: string): Promise<void> {
      const row = await store.take(userId, provider);
      if (row === null) throw notFound(`${provider} is not connected`, { code: 'not_connected' });
      await revoke(row).catch((error: unknown) => {
        log.warn(`${provider} could not be informed that a connection ended: ${messageOf(error)}`);
      });
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
