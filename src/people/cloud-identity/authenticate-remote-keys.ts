import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Principal } from '../../kit/principal.ts';
import { createRecent } from '../../kit/recent.ts';
import { badKey } from '../api-keys/index.ts';
import type { AccessWatch } from './access-watch.ts';
import type { AccountsPort } from './accounts-port.ts';

/** Milliseconds for which a check is cached. With the time of a request, changes take effect within 5 seconds. */
const REMEMBERED_MS = 4_000;
const MOST_REMEMBERED = 10_000;

interface KnownKey {
  principal: Principal & { apiKey: { keyId: string } };
  expiresAtMs: number;
}

export interface AuthenticateRemoteKeysOptions {
  accounts: Pick<AccountsPort, 'introspect'>;
  watch: Pick<AccessWatch, 'onChange'>;
  clock: Clock;
}

/** Checks API keys at the accounts service; the result for an invalid key is cached too. */
export function createAuthenticateRemoteKeys({ accounts, watch, clock }: AuthenticateRemoteKeysOptions) {
  const recent = createRecent<KnownKey | null>({
    clock,
    forMs: REMEMBERED_MS,
    most: MOST_REMEMBERED,
    load: async (text) => {
      const { key } = await accounts.introspect(text);
      return key && knownKey(key);
    },
  });
  watch.onChange(({ subject, subject_id: id }) => {
    if (subject === 'session') return;
    recent.forget((known) => known !== null && isAbout(known.principal, subject, id));
  });

  function principalOf(known: KnownKey | null): Principal {
    if (known === null || known.expiresAtMs <= clock.now()) throw badKey();
    return known.principal;
  }

  return (token: string): Principal | Promise<Principal> => {
    const found = recent.get(token);
    return found instanceof Promise ? found.then(principalOf) : principalOf(found);
  };
}

const isAbout = (
  { apiKey, userId, tenantId }: KnownKey['principal'],
  subject: 'user' | 'tenant' | 'api_key',
  id: string,
): boolean => ({ user: userId, tenant: tenantId, api_key: apiKey.keyId })[subject] === id;

type Introspected = NonNullable<Awaited<ReturnType<AccountsPort['introspect']>>['key']>;

const knownKey = (key: Introspected): KnownKey => ({
  principal: {
    userId: key.user_id,
    email: key.email,
    tenantId: key.tenant_id,
    role: key.role,
    tenantRole: key.tenant_role,
    plan: key.plan,
    overrides: key.overrides as FeatureOverrides,
    apiKey: {
      keyId: key.key_id,
      mayOnlyRead: key.may_only_read,
      mayWriteDirectly: key.may_write_directly ?? false,
    },
  },
  expiresAtMs: key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
});
