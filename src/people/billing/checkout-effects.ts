import { isPlanName } from '../../access/plans.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { Checkout, PaidSubscription } from '../../platform/payments/payments.ts';
import type { PurchaseRow } from './billing.tables.ts';
import { closeCheckoutRow, createCheckoutStore } from './checkouts.store.ts';
import { type Effect, type EffectTools, noEffect, type Outcome, ownersOf, paidForNobody } from './effects.ts';
import { putPurchase } from './payments.store.ts';
import { type BoughtCredits, checkPurchase, creditsIn } from './purchases.ts';
import { type Hear, outcomeOf } from './subscription-effects.ts';
import { subscriptionById } from './subscriptions.store.ts';

/** Checkouts that were completed: what was bought is given. Also used for those whose event was lost. */
export function createCheckoutEffects({ context, products, subscriptions }: EffectTools, hear: Hear) {
  const { payments, books, clock } = context;
  const store = createCheckoutStore(context.database.system);

  /** The provider tells again of a checkout that is not paid yet, once it is. */
  function forNobody(checkout: Checkout, tenantId: string | null): Effect {
    const { checkoutId: id, subscriptionId, paymentStatus, amount, currency } = checkout;
    if (paymentStatus !== 'paid' || amount <= 0)
      return noEffect('unknown_customer', `${id} names no tenant of ours`);
    const { apply } = paidForNobody({ id, subscriptionId, amount, currency, tenantId });
    return {
      tenantId,
      async apply(db) {
        await closeCheckoutRow(db, id);
        return apply(db);
      },
    };
  }

  async function ofSubscription(checkout: Checkout, atMs: number): Promise<Effect> {
    const { subscriptionId, checkoutId, metadata } = checkout;
    if (subscriptionId === null) return noEffect('held', `${checkoutId} has no subscription`);
    const subscription = payments === null ? provisional(checkout) : null;
    if (payments === null && subscription === null)
      return noEffect('ignored', `the metadata of ${checkoutId} names no plan of ours`);
    const understood = await hear({
      subscription,
      subscriptionId,
      tenantId: metadata.tenant_id,
      // Every event of the subscription itself is better.
      atMs: payments === null ? 0 : atMs,
    });
    if ('refusal' in understood) {
      const { refusal, goneTenantId } = understood;
      return goneTenantId === undefined ? refusal : forNobody(checkout, goneTenantId);
    }
    const { told } = understood;
    return {
      tenantId: told.tenantId,
      async apply(db) {
        await closeCheckoutRow(db, checkoutId);
        if (payments === null && (await subscriptionById(db, subscriptionId)) !== null)
          return { outcome: 'applied' };
        const recorded = await subscriptions.record(db, told);
        return outcomeOf(recorded, told.tenantId);
      },
    };
  }

  async function book(db: Executor, checkout: Checkout, bought: BoughtCredits): Promise<Outcome> {
    const { tenantId, userId, credits } = bought;
    await closeCheckoutRow(db, checkout.checkoutId);
    await putPurchase(db, {
      ...purchaseRow(checkout, bought),
      status: 'booked',
      booked_at: clock.now(),
    });
    await books.add(db, {
      tenantId,
      source: 'purchase',
      amount: credits,
      expiresAtMs: null,
      reference: `checkout:${checkout.checkoutId}`,
      userId,
    });
    return { outcome: 'applied' };
  }

  async function ofPurchase(checkout: Checkout, event: Checkout): Promise<Effect> {
    const { checkoutId, metadata } = checkout;
    const { tenant_id: tenantId, user_id: userId } = metadata;
    // Others may sell things by the same account.
    if (tenantId === undefined && metadata.credits === undefined)
      return noEffect('ignored', `${checkoutId} bought nothing of ours`);
    if (tenantId === undefined || (await ownersOf(context, tenantId)) === null)
      return forNobody(checkout, tenantId ?? null);
    const about = { tenantId, userId: userId ?? '', credits: creditsIn(checkout) ?? 0 };
    if (checkout.paymentStatus !== 'paid')
      return {
        tenantId,
        async apply(db) {
          await putPurchase(db, { ...purchaseRow(checkout, about), status: 'pending', booked_at: null });
          return { outcome: 'applied', note: 'it is not paid yet' };
        },
      };
    const checked = checkPurchase({
      checkout,
      event,
      products: payments === null ? null : await products.fresh(),
      opened: await store.byId(checkoutId),
    });
    if (!('problem' in checked)) return { tenantId, apply: (db) => book(db, checkout, checked) };
    const note = `${checkoutId} is held and nothing was booked: ${checked.problem}`;
    return {
      tenantId,
      async apply(db) {
        await closeCheckoutRow(db, checkoutId);
        await putPurchase(db, { ...purchaseRow(checkout, about), status: 'held', booked_at: null });
        return { outcome: 'held', note, alarm: note };
      },
    };
  }

  return async function prepare(event: Checkout, atMs: number): Promise<Effect> {
    const checkout = payments === null ? event : await payments.checkout(event.checkoutId);
    if (checkout === null) return noEffect('held', `the provider knows no checkout ${event.checkoutId}`);
    if (checkout.mode === 'subscription') return ofSubscription(checkout, atMs);
    if (checkout.mode === 'payment') return ofPurchase(checkout, event);
    return noEffect('ignored', 'it only stored a way to pay');
  };
}

const purchaseRow = (
  { checkoutId, amount, currency, createdAt }: Checkout,
  { tenantId, userId, credits }: BoughtCredits,
): Omit<PurchaseRow, 'status' | 'booked_at'> => ({
  checkout_id: checkoutId,
  tenant_id: tenantId,
  user_id: userId,
  credits,
  amount,
  currency,
  created_at: createdAt,
});

/** Until its own event arrives: what a checkout says about the subscription that it began. Null if it names no plan. */
function provisional(checkout: Checkout): PaidSubscription | null {
  const { subscriptionId, customerId, metadata, createdAt } = checkout;
  if (subscriptionId === null || customerId === null || !isPlanName(metadata.plan)) return null;
  const quantity = Math.max(1, Number(metadata.seats ?? 1) || 1);
  const end = new Date(createdAt);
  end.setUTCMonth(end.getUTCMonth() + (metadata.interval === 'year' ? 12 : 1));
  return {
    subscriptionId,
    customerId,
    status: checkout.paymentStatus === 'no_payment_required' ? 'trialing' : PAID[checkout.paymentStatus],
    priceId: '',
    productId: '',
    interval: metadata.interval === 'year' ? 'year' : 'month',
    quantity,
    unitAmount: Math.round(checkout.amount / quantity),
    metadata,
    anchorAt: createdAt,
    periodStart: createdAt,
    periodEnd: end.getTime(),
    trialEnd: null,
    cancelAtPeriodEnd: false,
    endedAt: null,
    createdAt,
  };
}

const PAID = { paid: 'active', unpaid: 'incomplete' } as const;
