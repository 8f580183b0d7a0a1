import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf, notFound } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { OAuthTokens } from '../../platform/oauth/oauth.ts';
import type { ConnectionStore } from './connections.store.ts';
import type { ConnectionRow } from './oauth.tables.ts';
import type { Providers } from './providers.ts';
import type { ConnectionKey, StoredTokens, TokenSeals } from './token-seals.ts';

export interface Connection {
  provider: string;
  scopes: string[];
  connected_at: string;
}

export interface ListedConnection {
  provider: string;
  connected: boolean;
  scopes: string[];
  connected_at: string | null;
  problem: string | null;
}

export interface ConnectionsOptions {
  store: ConnectionStore;
  seals: TokenSeals;
  providers: Providers;
  clock: Clock;
  log: Log;
}

const shown = ({ provider, scopes, connected_at }: ConnectionRow): Connection => ({
  provider,
  scopes: scopes.split(' '),
  connected_at,
});

export const notConnected = (provider: string, problem: string | null = null): ListedConnection => ({
  provider,
  connected: false,
  scopes: [],
  connected_at: null,
  problem,
});

/** The tokens of a provider's reply at this time. */
export const tokensAt = (
  nowMs: number,
  { accessToken, refreshToken, expiresIn }: OAuthTokens,
): StoredTokens => ({
  accessToken,
  refreshToken,
  expiresAt: expiresIn === null ? null : isoTime(nowMs + expiresIn * 1000),
});

/** Access to people's files at providers. The tokens are stored sealed (spec 2 §2.4). */
export function createConnections({ store, seals, providers, clock, log }: ConnectionsOptions) {
  async function revoke(row: ConnectionRow): Promise<void> {
    const { accessToken, refreshToken } = seals.open(row);
    await providers.storageOf(row.provider).revoke(refreshToken ?? accessToken);
  }

  return {
    /** Replaces the stored tokens, or a connection that had ended. */
    async keep(userId: string, provider: string, tokens: OAuthTokens): Promise<Connection> {
      const key: ConnectionKey = { user_id: userId, provider };
      const now = clock.now();
      const row: ConnectionRow = {
        ...key,
        ...seals.seal(key, tokensAt(now, tokens)),
        scopes: tokens.scopes.join(' '),
        connected_at: isoTime(now),
        refreshed_at: null,
      };
      await store.replace(row);
      return shown(row);
    },

    async list(userId: string): Promise<ListedConnection[]> {
      const [rows, ended] = await Promise.all([store.list(userId), store.listEnded(userId)]);
      return [
        ...rows.map((row) => ({ ...shown(row), connected: true, problem: null })),
        ...ended.map(({ provider, problem }) => notConnected(provider, problem)),
      ];
    },

    /** Forgets the tokens, then tells the provider if possible. 404 if nothing is connected, nor has been until it ended. */
    async remove(userId: string, provider: string): Promise<void> {
      const taken = await store.take({ user_id: userId, provider });
      if (taken === null) throw notFound(`${provider} is not connected`, { code: 'not_connected' });
      if (taken.row === null) return;
      await revoke(taken.row).catch((error: unknown) => {
        log.warn(`${provider} could not be informed that a connection ended: ${messageOf(error)}`);
      });
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
