import { type Clock, isoTime } from '../../kit/clock.ts';
import { randomToken, sha256Hex } from '../../kit/crypto.ts';
import { unauthorized } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { checkPassword, type User, type Users } from '../users/index.ts';
import { createPasswordResetStore } from './password-resets.store.ts';

const LIFETIME_MS = 3_600_000;
const PREFIX = 'cnrp_';

export interface PasswordResetsOptions {
  database: Database;
  users: Users;
  clock: Clock;
}

export interface PasswordReset {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Password resets: by a token that can be used once, within an hour (spec 1 §5). */
export function createPasswordResets({ database, users, clock }: PasswordResetsOptions) {
  const store = createPasswordResetStore(database.system);

  /** Creates a token for a user and invalidates their previous one. */
  async function make(user: User): Promise<PasswordReset> {
    const token = PREFIX + randomToken();
    const expiresAt = isoTime(clock.now() + LIFETIME_MS);
    await store.insert(
      {
        token_hash: sha256Hex(token),
        user_id: user.userId,
        session_epoch: user.sessionEpoch,
        expires_at: expiresAt,
      },
      isoTime(clock.now()),
    );
    return { token, expiresAt };
  }

  return {
    make,

    /** Sets the password and ends all sessions. 401 with the same message for a token that is unknown, used or expired. */
    async reset(token: string, password: string): Promise<User> {
      checkPassword(password, 'new_password');
      const row = await store.take(sha256Hex(token), isoTime(clock.now()));
      const user = row && (await users.findById(row.user_id));
      if (!row || !user?.isActive || user.sessionEpoch !== row.session_epoch) throw badToken();
      try {
        return await users.setPassword(user.userId, password);
      } catch (error) {
        await store.putBack(row);
        throw error;
      }
    },
  };
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;

const badToken = () =>
  unauthorized('The token for a new password is invalid or no longer valid: ask for a new one', {
    code: 'invalid_reset_token',
  });
