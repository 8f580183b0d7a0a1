import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, messageOf, unavailable } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import { OAuthError, type OAuthTokens } from '../../platform/oauth/oauth.ts';
import type { EndConnection } from './connection-ending.ts';
import { tokensAt } from './connections.service.ts';
import type { ConnectionStore } from './connections.store.ts';
import type { ConnectionRow } from './oauth.tables.ts';
import type { Providers } from './providers.ts';
import type { ConnectionKey, StoredTokens, TokenSeals } from './token-seals.ts';

/** A token that ends sooner is refreshed first: its user may need it for a while. */
const LEAST_VALID_MS = 60_000;

export interface TokenRefreshOptions {
  database: TenantDatabase;
  store: ConnectionStore;
  seals: TokenSeals;
  providers: Providers;
  endConnection: EndConnection;
  clock: Clock;
  log: Log;
}

/** Returns the tokens with a valid access token that is not `refused`. 409 `not_connected` without a connection. */
export type AccessToken = (key: ConnectionKey, refused: string | undefined) => Promise<StoredTokens>;

/** Whoever writes tokens that it has read before holds it, so that no refresh comes in between. */
export const tokenLock = ({ user_id, provider }: ConnectionKey): string =>
  `oauth-tokens ${provider} ${user_id}`;

/**
 * Access tokens, refreshed when they are needed: once, however many callers and processes ask, since a provider may take a refresh token
 * only once and answer with its successor. That one is stored before anybody gets the access token. A process that is killed between the
 * provider's reply and the commit loses it, and the user has to connect again: nothing on this side can prevent that.
 */
export function createTokenRefresh(options: TokenRefreshOptions): AccessToken {
  const { database, store, seals, providers, endConnection, clock, log } = options;
  /** One per connection in this process, so that callers share a failure too instead of waiting for one after the other. */
  const running = new Map<string, Promise<StoredTokens>>();

  const isGood = ({ accessToken, expiresAt }: StoredTokens, refused: string | undefined): boolean =>
    accessToken !== refused && (expiresAt === null || Date.parse(expiresAt) - clock.now() >= LEAST_VALID_MS);

  async function stored(key: ConnectionKey): Promise<{ row: ConnectionRow; tokens: StoredTokens }> {
    const row = await store.find(key);
    if (row !== null) return { row, tokens: seals.open(row) };
    const ended = (await store.listEnded(key.user_id)).find(({ provider }) => provider === key.provider);
    throw conflict(ended?.problem ?? `${key.provider} is not connected`, { code: 'not_connected' });
  }

  /** Of a connection that somebody else has changed meanwhile. */
  async function othersTokens(key: ConnectionKey, refused: string | undefined): Promise<StoredTokens> {
    const { tokens } = await stored(key);
    if (isGood(tokens, refused)) return tokens;
    throw unavailable(`The connection to ${key.provider} has just changed; try again soon`);
  }

  /** Null if the provider no longer accepts the refresh token. */
  async function renewedBy(provider: string, refreshToken: string): Promise<OAuthTokens | null> {
    try {
      return await providers.storageOf(provider).refresh(refreshToken);
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'refused') return null;
      log.warn(`${provider} did not refresh an access token: ${messageOf(error)}`);
      throw error;
    }
  }

  async function keepRenewed(before: ConnectionRow, tokens: StoredTokens, scopes: string): Promise<boolean> {
    const refreshed_at = isoTime(clock.now());
    if (await store.renew(before, { ...before, ...seals.seal(before, tokens), scopes, refreshed_at }))
      return true;
    // Disconnected meanwhile: the new token must not outlive that. After a new consent it is harmless, and to revoke it could end that one.
    if ((await store.find(before)) === null)
      await providers
        .storageOf(before.provider)
        .revoke(tokens.refreshToken ?? tokens.accessToken)
        .catch(() => {});
    return false;
  }

  async function refresh(key: ConnectionKey, refused: string | undefined): Promise<StoredTokens> {
    const { row, tokens } = await stored(key);
    // Another process was faster.
    if (isGood(tokens, refused)) return tokens;
    const { refreshToken } = tokens;
    const renewed = refreshToken === null ? null : await renewedBy(key.provider, refreshToken);
    if (renewed === null) {
      await endConnection(row, providers.find(key.provider).label);
      return othersTokens(key, refused);
    }
    const next = tokensAt(clock.now(), { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken });
    const isKept = await keepRenewed(row, next, renewed.scopes.join(' '));
    return isKept ? next : othersTokens(key, refused);
  }

  function refreshOnce(key: ConnectionKey, refused: string | undefined): Promise<StoredTokens> {
    const name = tokenLock(key);
    const known = running.get(name);
    if (known !== undefined) return known;
    const mine = database.exclusive(name, () => refresh(key, refused)).finally(() => running.delete(name));
    running.set(name, mine);
    return mine;
  }

  return async (key, refused) => {
    const { tokens } = await stored(key);
    if (isGood(tokens, refused)) return tokens;
    const shared = await refreshOnce(key, refused);
    // The refresh that was joined may have found the very token that this caller cannot use.
    return shared.accessToken === refused ? refreshOnce(key, refused) : shared;
  };
}
