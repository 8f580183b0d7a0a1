import { forbidden } from '../../kit/errors.ts';
import { callerOf, type Principal } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Tenant } from './tenant.ts';
import { createTenant, updateTenantFeatures } from './tenants.contract.ts';
import type { Tenants } from './tenants.service.ts';

const shownTenant = ({ tenantId, name, slug, plan, ...tenant }: Tenant) => ({
  tenant_id: tenantId,
  name,
  slug,
  plan,
  max_users: tenant.maxUsers,
  credits_monthly: tenant.creditsMonthly,
  features: { ...tenant.overrides },
  created_at: tenant.createdAt,
});

export const tenantRoutes = (tenants: Tenants): Route[] => {
  /** Throws 403 for admins of every other tenant, whatever they ask about. */
  async function requireOperator({ tenantId }: Principal): Promise<void> {
    if (await tenants.isOperator(tenantId)) return;
    throw forbidden('This is for admins of the tenant that runs the installation', { code: 'operator_only' });
  }

  return [
    route(createTenant, async (request) => {
      await requireOperator(callerOf(request));
      const { max_users: maxUsers, credits_monthly: creditsMonthly, ...rest } = request.body;
      return shownTenant(await tenants.create({ ...rest, maxUsers, creditsMonthly }));
    }),
    route(updateTenantFeatures, async (request) => {
      await requireOperator(callerOf(request));
      return shownTenant(await tenants.changeFeatures(request.params.tenant_id, request.body.features));
    }),
  ];
};
