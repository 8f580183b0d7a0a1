import type { Executor } from '../../platform/database/dialect.ts';
import { moneyText } from '../../platform/payments/money.ts';
import type { EventOutcome } from './billing.tables.ts';
import type { BillingContext } from './context.ts';
import type { Products } from './products.service.ts';
import type { Owners, Subscriptions } from './subscriptions.service.ts';

export interface Outcome {
  outcome: EventOutcome;
  /** Why it was not applied. */
  note?: string;
  /** For the log once it is committed: an operator has to look. */
  alarm?: string;
}

/** An event that was understood: everything that the provider had to be asked for is here. */
export interface Effect {
  tenantId: string | null;
  /** In the transaction that stores the event; it may run more than once. */
  apply(db: Executor): Promise<Outcome>;
}

export interface EffectTools {
  context: BillingContext;
  products: Products;
  subscriptions: Subscriptions;
}

/** An effect of nothing but its record. */
export const noEffect = (outcome: EventOutcome, note: string, tenantId: string | null = null): Effect => ({
  tenantId,
  apply: async () => ({
    outcome,
    note,
    ...(outcome === 'held' && { alarm: note }),
  }),
});

interface PaidInVain {
  /** Of the checkout or the invoice. */
  id: string;
  /** Null for a block of credits. */
  subscriptionId: string | null;
  amount: number;
  currency: string;
  /** Null if it names none. */
  tenantId: string | null;
}

/** Somebody paid, and there is no tenant to give anything to: an operator has to pay it back. */
export function paidForNobody({ id, subscriptionId, tenantId, ...paid }: PaidInVain): Effect {
  const whom = tenantId === null ? 'no tenant of ours' : `tenant ${tenantId}, which is gone`;
  const once =
    subscriptionId === null
      ? ''
      : `. The first payment for ${subscriptionId} is held twice, as its checkout and as its invoice: pay it back once`;
  return noEffect(
    'held',
    `${id} is held: ${moneyText(paid)} was paid for ${whom}; pay it back${once}`,
    tenantId,
  );
}

export async function ownersOf(
  { tenantOf, ownersOf }: BillingContext,
  tenantId: string,
): Promise<Owners | null> {
  const tenant = await tenantOf(tenantId);
  return tenant && { tenantName: tenant.name, addresses: await ownersOf(tenantId) };
}
