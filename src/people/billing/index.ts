export { billingModule } from './billing.module.ts';
export type { BilledTenant, BillingContext } from './context.ts';
