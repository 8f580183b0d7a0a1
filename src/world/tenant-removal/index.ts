export { type EndedTenantsPort, tenantRemovalModule } from './removal.module.ts';
