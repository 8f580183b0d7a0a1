import { type Clock, isoTime } from '../../kit/clock.ts';
import { randomToken } from '../../kit/crypto.ts';
import { unauthorized } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAccessChanges } from '../access-changes/index.ts';
import type { User, Users } from '../users/index.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { createSessionStore } from './sessions.store.ts';
import type { SessionRow } from './sessions.tables.ts';

export const REFRESH_TOKEN_LIFETIME = 30 * 24 * 3600;
/** Milliseconds in which a used token gets the same successor again, for a second tab that asked at the same time. */
const SAME_SUCCESSOR_MS = 20_000;

export interface SessionsOptions {
  database: Database;
  users: Users;
  refreshTokens: RefreshTokens;
  clock: Clock;
  log: Log;
}

export interface Granted {
  user: User;
  sessionId: string;
  refreshToken: string;
}

/** Sessions and their refresh tokens, which rotate at each use; a reused one ends the session. */
export function createSessions({ database, users, refreshTokens, clock, log }: SessionsOptions) {
  const store = createSessionStore(database.system, createAccessChanges({ database, clock }).note);
  const expiry = () => isoTime(clock.now() + REFRESH_TOKEN_LIFETIME * 1000);
  const now = () => isoTime(clock.now());

  const grant = (user: User, sessionId: string, number: number): Granted => ({
    user,
    sessionId,
    refreshToken: refreshTokens.make({ sessionId, number }),
  });

  /** The user of a session; null if the session has ended or the account is closed. */
  async function userOf(session: SessionRow | null): Promise<User | null> {
    if (session === null || session.revoked_at !== null || session.expires_at <= now()) return null;
    const user = await users.findById(session.user_id);
    return user?.isActive && user.sessionEpoch === session.session_epoch ? user : null;
  }

  /** The number after the presented one; null if the presented one was used before. */
  async function successorOf(session: SessionRow, number: number): Promise<number | null> {
    if (number === session.refresh_number && (await store.advance(session, now(), expiry())))
      return number + 1;
    const current = await store.find(session.session_id);
    if (current === null || current.revoked_at !== null || number !== current.refresh_number - 1) return null;
    const age = clock.now() - Date.parse(current.refreshed_at);
    return age <= SAME_SUCCESSOR_MS ? current.refresh_number : null;
  }

  return {
    /** Milliseconds since the epoch, for users with a session; precise to the lifetime of an access token. */
    async lastActiveOf(userIds: readonly string[]): Promise<Map<string, number>> {
      const found = await store.lastActive(userIds);
      return new Map(found.map(({ user_id, at }) => [user_id, Date.parse(at)]));
    },

    async begin(user: User): Promise<Granted> {
      const sessionId = randomToken(16);
      const at = now();
      await store.insert({
        session_id: sessionId,
        user_id: user.userId,
        session_epoch: user.sessionEpoch,
        refresh_number: 1,
        refreshed_at: at,
        created_at: at,
        expires_at: expiry(),
        revoked_at: null,
      });
      return grant(user, sessionId, 1);
    },

    /** Exchanges a refresh token for its successor; 401 if it is no longer valid. */
    async refresh(token: string): Promise<Granted> {
      const place = refreshTokens.read(token);
      const session = place && (await store.find(place.sessionId));
      const user = await userOf(session);
      if (!place || !session || !user) throw badRefreshToken();
      const successor = await successorOf(session, place.number);
      if (successor !== null) return grant(user, session.session_id, successor);
      await store.revoke(session.session_id, now());
      log.warn(`a used refresh token came back: ended the session of user ${user.userId}`);
      throw badRefreshToken();
    },

    /** The user of an active session, freshly read. */
    async activeUser(sessionId: string): Promise<User | null> {
      return userOf(await store.find(sessionId));
    },

    /** Keeps one session alive when the user's others end. */
    carryOver: (sessionId: string, user: User): Promise<void> => store.setEpoch(sessionId, user.sessionEpoch),

    revoke: (sessionId: string): Promise<void> => store.revoke(sessionId, now()),

    /** The session that a refresh token belongs to, used or not; null for text that was not issued here. */
    sessionNamedBy: (token: string): string | null => refreshTokens.read(token)?.sessionId ?? null,

    /** The same, but only for a token of this user. */
    async sessionOf(token: string, userId: string): Promise<string | null> {
      const place = refreshTokens.read(token);
      const session = place && (await store.find(place.sessionId));
      return session?.user_id === userId ? session.session_id : null;
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;

export const badRefreshToken = () =>
  unauthorized('The refresh token is no longer valid: sign in again', { code: 'invalid_refresh_token' });
