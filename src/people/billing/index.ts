export { billingModule } from './billing.module.ts';
export { EVENT_OUTCOMES, type EventOutcome, type EventRow } from './billing.tables.ts';
export { type BillingCheck, checkBilling } from './check.ts';
export type { BilledTenant, BillingContext } from './context.ts';
export { createEventStore, type EventFilter } from './events.store.ts';
export { performSetup, planSetup, type SetupPlan } from './setup.ts';
