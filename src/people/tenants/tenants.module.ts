import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createGrantEnds } from './plan-grants.service.ts';
import { tenantRoutes } from './tenants.routes.ts';
import { createTenants } from './tenants.service.ts';
import { tenantMigrations } from './tenants.tables.ts';

/** Tenants, as operators of the installation create and change them. */
export const tenantsModule = defineModule({
  name: 'tenants',
  tags: {
    Tenants: 'Customers, as those who run the installation make and change them.',
  },
  tables: tenantMigrations,
  create({ database, clock, log }: Base) {
    const tenants = createTenants({ database, clock });
    const { start, stop } = createGrantEnds(tenants.grants, log.child('tenants'));
    return { service: tenants, routes: tenantRoutes(tenants), start, stop };
  },
});
