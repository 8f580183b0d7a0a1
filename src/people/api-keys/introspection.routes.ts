import type { TenantPlan } from '../../access/entitlements.ts';
import { isoTime } from '../../kit/clock.ts';
import { type Route, route } from '../../kit/route.ts';
import type { ApiKeys, FoundKey } from './api-keys.service.ts';
import { principalOfKey } from './authenticate-keys.ts';
import { introspectApiKey } from './introspection.contract.ts';

export interface IntrospectionOptions {
  apiKeys: ApiKeys;
  planOf: (tenantId: string) => Promise<TenantPlan | null>;
}

function shown(found: FoundKey, plan: TenantPlan) {
  const { userId, email, tenantId, role, tenantRole, overrides, apiKey } = principalOfKey(found, plan);
  return {
    key_id: apiKey.keyId,
    user_id: userId,
    email,
    tenant_id: tenantId,
    role,
    tenant_role: tenantRole,
    plan: plan.plan,
    overrides: { ...overrides },
    may_only_read: apiKey.mayOnlyRead,
    may_write_directly: apiKey.mayWriteDirectly,
    expires_at: Number.isFinite(found.expiresAtMs) ? isoTime(found.expiresAtMs) : null,
  };
}

export const introspectionRoutes = ({ apiKeys, planOf }: IntrospectionOptions): Route[] => [
  route(introspectApiKey, async ({ body }) => {
    const found = await apiKeys.find(body.key);
    const plan = found && (await planOf(found.owner.tenantId));
    return { key: found && plan && shown(found, plan) };
  }),
];
