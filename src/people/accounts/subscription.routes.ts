import { entitlementsOf } from '../../access/entitlements.ts';
import { type Route, route } from '../../kit/route.ts';
import type { Tenants } from '../tenants/index.ts';
import { type Users, userNotFound } from '../users/index.ts';
import { setSubscription } from './subscription.contract.ts';

export const subscriptionRoutes = ({ users, tenants }: { users: Users; tenants: Tenants }): Route[] => [
  route(setSubscription, async ({ params, body }) => {
    const user = await users.findById(params.id);
    if (user === null) throw userNotFound(params.id);
    const { plan, overrides } = await tenants.changePlan(user.tenantId, body.plan);
    return { user_id: user.userId, tenant_id: user.tenantId, ...entitlementsOf(plan, overrides) };
  }),
];
