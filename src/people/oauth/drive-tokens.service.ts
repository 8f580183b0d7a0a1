import { DRIVE_FILE_SCOPE } from '../../access/drive-accounts.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, HttpError } from '../../kit/errors.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import { type Users, userNotFound } from '../users/index.ts';
import type { Connections } from './connections.service.ts';
import type { ConnectionStore } from './connections.store.ts';
import type { ConnectionRow } from './oauth.tables.ts';
import type { Providers } from './providers.ts';
import { type AccessToken, tokenLock } from './token-refresh.ts';
import type { StoredTokens, TokenSeals } from './token-seals.ts';

export interface DriveTokensOptions {
  database: TenantDatabase;
  store: ConnectionStore;
  seals: TokenSeals;
  providers: Providers;
  connections: Pick<Connections, 'remove'>;
  accessToken: AccessToken;
  users: Pick<Users, 'findById'>;
  clock: Clock;
}

export interface GivenTokens {
  access_token?: string;
  refresh_token?: string;
  expires_at?: string;
}

export interface Consent {
  provider: string | null;
  configured: boolean;
  connected: boolean;
  scopes: string[];
  expires_at: string | null;
  refreshed_at: string | null;
  problem: string | null;
}

const NOTHING = { connected: false, scopes: [], expires_at: null, refreshed_at: null, problem: null };

/** RFC 3339 has leap seconds, which `Date` cannot read: the second before stands for one. */
const millisecondsOf = (time: string): number => Date.parse(time.replace(/(\d\d:\d\d):60/, '$1:59'));

/** The users' consents to cloud drives, for cores (spec 2 §2.4, §5). */
export function createDriveTokens(options: DriveTokensOptions) {
  const { database, store, seals, providers, connections, accessToken, users, clock } = options;

  async function consent(userId: string): Promise<Consent> {
    if (providers.drive === null) return { ...NOTHING, provider: null, configured: false };
    const { id: provider } = providers.drive;
    const row = await store.find({ user_id: userId, provider });
    const shared = { ...NOTHING, provider, configured: true };
    if (row !== null)
      return {
        ...shared,
        connected: true,
        scopes: row.scopes.split(' '),
        expires_at: seals.open(row).expiresAt,
        refreshed_at: row.refreshed_at,
      };
    const ended = (await store.listEnded(userId)).find((each) => each.provider === provider);
    return { ...shared, problem: ended?.problem ?? null };
  }

  /** Of a closed account nothing goes to a drive any more. */
  async function isOpen(userId: string): Promise<boolean> {
    return (await users.findById(userId))?.isActive === true;
  }

  /** Tokens that are left out stay. The expiry is that of its access token: of a new one it is unknown unless it is given. */
  function merged(before: StoredTokens | null, given: GivenTokens): StoredTokens | null {
    const { access_token, refresh_token, expires_at } = given;
    const refreshToken = refresh_token ?? before?.refreshToken ?? null;
    const expiresAt = expires_at === undefined ? null : isoTime(millisecondsOf(expires_at));
    if (access_token !== undefined) return { accessToken: access_token, refreshToken, expiresAt };
    if (before !== null) return { ...before, refreshToken, expiresAt: expiresAt ?? before.expiresAt };
    // An access token that has ended already: the first caller that asks for one has it refreshed.
    return refreshToken === null ? null : { accessToken: '', refreshToken, expiresAt: isoTime(clock.now()) };
  }

  async function keepGiven(userId: string, provider: string, given: GivenTokens): Promise<void> {
    const key = { user_id: userId, provider };
    const before = await store.find(key);
    const tokens = merged(before && seals.open(before), given);
    if (tokens === null) throw conflict(`${provider} is not connected`, { code: 'not_connected' });
    const hasTokens = given.access_token !== undefined || given.refresh_token !== undefined;
    const row: ConnectionRow = {
      ...key,
      ...seals.seal(key, tokens),
      scopes: DRIVE_FILE_SCOPE,
      connected_at: before?.connected_at ?? isoTime(clock.now()),
      refreshed_at: hasTokens ? null : (before?.refreshed_at ?? null),
    };
    await store.replace(row);
  }

  return {
    consent,

    async token(userId: string, provider: string, refused: string | undefined): Promise<StoredTokens> {
      providers.storageOf(provider);
      if (!(await isOpen(userId)))
        throw conflict(`There is no open account ${userId} that could have connected ${provider}`, {
          code: 'not_connected',
        });
      return accessToken({ user_id: userId, provider }, refused);
    },

    async keep(userId: string, provider: string, given: GivenTokens): Promise<Consent> {
      providers.storageOf(provider);
      if (!(await isOpen(userId))) throw userNotFound(userId);
      // A refresh in between would spend a refresh token that then is stored again.
      await database.exclusive(tokenLock({ user_id: userId, provider }), () =>
        keepGiven(userId, provider, given),
      );
      return consent(userId);
    },

    async disconnect(userId: string, provider: string): Promise<Consent> {
      await connections.remove(userId, provider).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.extras.code !== 'not_connected') throw error;
      });
      return consent(userId);
    },
  };
}

export type DriveTokens = ReturnType<typeof createDriveTokens>;
