export { localAllowances, tenantAllowances } from './allowances.store.ts';
export { checkLedger } from './check.store.ts';
export { type CreditsContext, creditsModule, internalCreditsModule } from './credits.module.ts';
export { createLedger } from './credits.service.ts';
export type {
  Allowance,
  CreditAddition,
  CreditBooks,
  CreditPeriod,
  CreditSource,
  Ledger,
  ReadAllowances,
} from './ledger.ts';
export { fromWireReservation, toWireReservation, wireOperation } from './reservation-wire.ts';
export type { CreditMember } from './usage.service.ts';
