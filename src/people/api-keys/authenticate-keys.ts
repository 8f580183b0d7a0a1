import type { TenantPlan } from '../../access/entitlements.ts';
import { mayOnlyRead, mayWriteDirectly, roleOfKey } from '../../access/scopes.ts';
import type { Clock } from '../../kit/clock.ts';
import { unauthorized } from '../../kit/errors.ts';
import type { Authenticate, Principal } from '../../kit/principal.ts';
import { createRecent } from '../../kit/recent.ts';
import type { Users } from '../users/index.ts';
import { type ApiKeys, type FoundKey, isApiKey } from './api-keys.service.ts';

/** Milliseconds for which a check is cached. With the interval of open sockets, changes elsewhere take effect within 5 seconds. */
const RECHECK_MS = 3_000;
const MOST_REMEMBERED = 10_000;

export interface AuthenticateKeysOptions {
  apiKeys: ApiKeys;
  users: Users;
  clock: Clock;
  /** A tenant's current plan. */
  planOf: (tenantId: string) => Promise<TenantPlan | null>;
  /** Checks every other token. */
  otherwise: Authenticate;
}

interface KnownKey extends FoundKey {
  tenant: TenantPlan;
}

/** Accepts an API key wherever an access token is accepted (spec 1 §5). */
export function createAuthenticateKeys(options: AuthenticateKeysOptions): Authenticate {
  const { apiKeys, users, clock, planOf, otherwise } = options;
  const recent = createRecent<KnownKey>({
    clock,
    forMs: RECHECK_MS,
    most: MOST_REMEMBERED,
    load: async (key) => {
      const found = await apiKeys.find(key);
      const tenant = found && (await planOf(found.owner.tenantId));
      if (!found || !tenant) throw badKey();
      return { ...found, tenant };
    },
  });
  users.onAccessChanged((userId) => recent.forget(({ owner }) => owner.userId === userId));
  apiKeys.onRemoved((keyId) => recent.forget((found) => found.keyId === keyId));

  function principalOf(known: KnownKey): Principal {
    if (known.expiresAtMs <= clock.now()) throw badKey();
    return principalOfKey(known, known.tenant);
  }

  return (token) => {
    if (!isApiKey(token)) return otherwise(token);
    const found = recent.get(token);
    return found instanceof Promise ? found.then(principalOf) : principalOf(found);
  };
}

/** The rights of a key: no more than its scopes and its owner allow. */
export const principalOfKey = ({ keyId, owner, scopes }: FoundKey, tenant: TenantPlan) => ({
  userId: owner.userId,
  email: owner.email,
  tenantId: owner.tenantId,
  role: roleOfKey(scopes, owner.role),
  tenantRole: roleOfKey(scopes, owner.tenantRole),
  plan: tenant.plan,
  overrides: tenant.overrides,
  apiKey: { keyId, mayOnlyRead: mayOnlyRead(scopes), mayWriteDirectly: mayWriteDirectly(scopes) },
});

export const badKey = () =>
  unauthorized('The API key is invalid or no longer valid: make a new one', { code: 'invalid_api_key' });
