export { type FeatureChanges, FLAG_KEYS } from './features.ts';
export type { Tenant } from './tenant.ts';
export { tenantsModule } from './tenants.module.ts';
export { createTenants, type Tenants, tenantNotFound } from './tenants.service.ts';
