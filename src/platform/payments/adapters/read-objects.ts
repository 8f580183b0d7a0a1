import { type Checkout, type PaidSubscription, SUBSCRIPTION_STATUSES } from '../payments.ts';
import { idIn, type Json, listIn, metadataIn, objectIn, oneOf, textIn, timeIn, wholeIn } from './json.ts';
import { productOf, readPrice } from './read-catalog.ts';

/** Null for an object that is no checkout, or lacks what every checkout has. */
export function readCheckout(json: Json): Checkout | null {
  const checkoutId = textIn(json.id);
  const status = oneOf(['open', 'complete', 'expired'], json.status);
  const mode = oneOf(['subscription', 'payment', 'setup'], json.mode);
  const paymentStatus = oneOf(['paid', 'unpaid', 'no_payment_required'], json.payment_status);
  const createdAt = timeIn(json.created);
  if (json.object !== 'checkout.session' || checkoutId === null || createdAt === null) return null;
  if (status === null || mode === null || paymentStatus === null) return null;
  return {
    checkoutId,
    url: status === 'open' ? textIn(json.url) : null,
    status,
    mode,
    paymentStatus,
    customerId: idIn(json.customer),
    subscriptionId: idIn(json.subscription),
    userId: textIn(json.client_reference_id),
    metadata: metadataIn(json.metadata),
    lines: listIn(json.line_items).flatMap((line) => {
      const priceId = idIn(line.price);
      return priceId === null ? [] : [{ priceId, quantity: wholeIn(line.quantity) ?? 1 }];
    }),
    amount: wholeIn(json.amount_total) ?? 0,
    currency: textIn(json.currency) ?? '',
    createdAt,
  };
}

/** Null for one without a monthly or yearly price too: it is not of ours. */
export function readSubscription(json: Json): PaidSubscription | null {
  const subscriptionId = textIn(json.id);
  const customerId = idIn(json.customer);
  const status = oneOf(SUBSCRIPTION_STATUSES, json.status);
  const createdAt = timeIn(json.created);
  if (json.object !== 'subscription' || subscriptionId === null || customerId === null) return null;
  const plan = planIn(json);
  if (plan === null || status === null || createdAt === null) return null;
  return {
    subscriptionId,
    customerId,
    status,
    metadata: metadataIn(json.metadata),
    anchorAt: timeIn(json.billing_cycle_anchor) ?? plan.periodStart,
    trialEnd: timeIn(json.trial_end),
    cancelAtPeriodEnd: json.cancel_at_period_end === true,
    endedAt: timeIn(json.ended_at),
    createdAt,
    ...plan,
  };
}

/** The item with a price that we know; versions before 2025-03-31 have the period on the subscription. */
export function planItemOf(subscription: Json): Json | null {
  return listIn(subscription.items).find(({ price }) => readPrice(objectIn(price))?.interval) ?? null;
}

function planIn(json: Json) {
  const item = planItemOf(json);
  if (item === null) return null;
  const price = objectIn(item.price);
  const { priceId, interval, amount = 0 } = readPrice(price) ?? {};
  const productId = productOf(price);
  const periodStart = timeIn(item.current_period_start ?? json.current_period_start);
  const periodEnd = timeIn(item.current_period_end ?? json.current_period_end);
  if (!priceId || !interval || productId === null || periodStart === null || periodEnd === null) return null;
  const quantity = wholeIn(item.quantity) ?? 1;
  return { priceId, productId, interval, quantity, unitAmount: amount, periodStart, periodEnd };
}
