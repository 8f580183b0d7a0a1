export { type FeatureChanges, FLAG_KEYS } from './features.ts';
export { fixedPlan, grantOf, type PlanGrant, type PlanGrants } from './plan-grants.ts';
export type { Tenant } from './tenant.ts';
export { tenantsModule } from './tenants.module.ts';
export { createTenants, type Tenants, tenantNotFound } from './tenants.service.ts';
