import type { PlanName } from '../../access/plans.ts';
import type { Base } from '../../frame/context.ts';
import type { PaymentEvents, Payments } from '../../platform/payments/payments.ts';
import type { CreditBooks } from '../credits/index.ts';
import type { Letters } from '../letters/index.ts';
import type { PlanGrants } from '../tenants/index.ts';

export interface BillingContext extends Pick<Base, 'database' | 'clock' | 'log'> {
  config: Pick<Base['config'], 'corsOrigins'>;
  /** Null without BILLING_API_KEY. */
  payments: Payments | null;
  /** Null without BILLING_WEBHOOK_SECRET. */
  paymentEvents: PaymentEvents | null;
  planGrants: PlanGrants;
  books: CreditBooks;
  letters: Letters;
  publicUrl: string;
  tenantOf(tenantId: string): Promise<BilledTenant | null>;
  /** Mail addresses. */
  ownersOf(tenantId: string): Promise<string[]>;
  /** People of the tenant who may sign in. */
  countMembers(tenantId: string): Promise<number>;
  /** The plan of a self-hosted core, whatever is bought; null in the accounts service. */
  localPlan: PlanName | null;
}

export interface BilledTenant {
  name: string;
  plan: PlanName;
  /** -1 for unlimited. */
  maxUsers: number;
}
