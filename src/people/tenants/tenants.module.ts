import type { Module } from '../../frame/module.ts';
import { tenantRoutes } from './tenants.routes.ts';
import type { Tenants } from './tenants.service.ts';

/** Tenants, as those who run the installation make and change them. */
export const createTenantsModule = (tenants: Tenants): Module => ({
  name: 'tenants',
  routes: tenantRoutes(tenants),
});
