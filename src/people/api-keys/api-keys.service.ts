import { type Scope, scopesOfOwner } from '../../access/scopes.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { randomToken, sha256Hex } from '../../kit/crypto.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAccessChanges } from '../access-changes/index.ts';
import { type User, type Users, userNotFound } from '../users/index.ts';
import { createApiKeyStore } from './api-keys.store.ts';
import type { ApiKeyRow } from './api-keys.tables.ts';

/** Secret scanners recognize keys by it. */
const PREFIX = 'cnry_';
const SHOWN_CHARACTERS = PREFIX.length + 8;
const MOST_KEYS = 100;
/** Milliseconds between two updates of a key's last use. */
const NOTE_USE_MS = 60_000;

export interface ApiKey extends Omit<ApiKeyRow, 'key_hash' | 'scopes' | 'session_epoch' | 'user_id'> {
  scopes: Scope[];
}

export interface NewApiKey {
  name: string;
  scopes?: Scope[] | undefined;
  /** ISO 8601. */
  expires_at?: string | undefined;
}

/** A valid key, with its owner freshly read. */
export interface FoundKey {
  keyId: string;
  owner: User;
  scopes: Scope[];
  expiresAtMs: number;
}

export const isApiKey = (token: string): boolean => token.startsWith(PREFIX);

/** Long-lived credentials for programs. */
export function createApiKeys({
  database,
  users,
  clock,
}: {
  database: Database;
  users: Users;
  clock: Clock;
}) {
  const store = createApiKeyStore(database.system, createAccessChanges({ database, clock }).note);
  const listeners = new Set<(keyId: string) => void>();

  const hasExpired = ({ expires_at }: ApiKeyRow): boolean =>
    expires_at !== null && expires_at <= isoTime(clock.now());
  const isGood = (row: ApiKeyRow, owner: User): boolean =>
    owner.isActive && owner.sessionEpoch === row.session_epoch && !hasExpired(row);

  async function ownerOf(userId: string): Promise<User> {
    const owner = await users.findById(userId);
    if (owner === null) throw userNotFound(userId);
    return owner;
  }

  async function list(userId: string): Promise<ApiKey[]> {
    const owner = await ownerOf(userId);
    return (await store.list(userId)).filter((row) => isGood(row, owner)).map(shown);
  }

  function checkedExpiry(text: string | undefined): string | null {
    if (text === undefined) return null;
    const at = Date.parse(text);
    if (at > clock.now()) return isoTime(at);
    const message = 'must lie in the future';
    throw invalid(`expires_at ${message}`, { errors: [{ field: 'expires_at', message }] });
  }

  return {
    list,

    /** Returns the key's record and the key itself, which is not stored. 409 if there are too many. */
    create: (userId: string, input: NewApiKey): Promise<{ apiKey: ApiKey; key: string }> =>
      database.system.exclusive(`api keys ${userId}`, async () => {
        const expiresAt = checkedExpiry(input.expires_at);
        const owner = await ownerOf(userId);
        if ((await list(userId)).length >= MOST_KEYS)
          throw conflict(`You have ${MOST_KEYS} API keys: delete those that are not used`);
        const key = PREFIX + randomToken();
        const row: ApiKeyRow = {
          key_id: newId(),
          user_id: userId,
          name: input.name,
          key_hash: sha256Hex(key),
          key_start: key.slice(0, SHOWN_CHARACTERS),
          scopes: JSON.stringify([...new Set(input.scopes ?? scopesOfOwner(owner.role))]),
          session_epoch: owner.sessionEpoch,
          created_at: isoTime(clock.now()),
          expires_at: expiresAt,
          last_used_at: null,
        };
        await store.insert(row);
        return { apiKey: shown(row), key };
      }),

    async remove(userId: string, keyId: string): Promise<void> {
      if (!(await store.remove(userId, keyId))) throw notFound('You have no such API key');
      for (const listener of listeners) listener(keyId);
    },

    /** `listener` is called for each key that ends here. */
    onRemoved: (listener: (keyId: string) => void): void => void listeners.add(listener),

    /** Null if the text is not a valid key. Records its use. */
    async find(key: string): Promise<FoundKey | null> {
      const row = await store.findByHash(sha256Hex(key));
      const owner = row && (await users.findById(row.user_id));
      if (!row || !owner || !isGood(row, owner)) return null;
      const isNoted = Date.parse(row.last_used_at ?? '') > clock.now() - NOTE_USE_MS;
      if (!isNoted) await store.used(row.key_id, isoTime(clock.now()));
      const expiresAtMs = row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at);
      return { keyId: row.key_id, owner, scopes: scopesOf(row), expiresAtMs };
    },
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

const scopesOf = ({ scopes }: ApiKeyRow): Scope[] => JSON.parse(scopes);

function shown(row: ApiKeyRow): ApiKey {
  const { key_hash: _hash, session_epoch: _epoch, user_id: _user, ...rest } = row;
  return { ...rest, scopes: scopesOf(row) };
}
