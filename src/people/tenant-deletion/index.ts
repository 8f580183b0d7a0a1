export { tenantDeletionModule } from './deletion.module.ts';
