import { ApiError, cardDeclined } from './api-error.ts';
import { type FormTree, flagOf, mergeMetadata, numberOf, textOf, treesOf } from './form.ts';
import { amountsOf, chargeNew, type LineDraft } from './invoices.ts';
import type { Price, Subscription } from './objects.ts';
import { get } from './paging.ts';
import { periodEndAfter } from './periods.ts';
import type { Store } from './store.ts';
import { failed, intervalOf, itemOf } from './subscriptions.ts';

/**
 * Proration: the rest of the period is credited at the old price and charged at the new one, in proportion to its seconds, each
 * rounded to whole units. Another interval begins a new period now, charged whole. A trial is changed without an invoice.
 */
export function updateSubscription(store: Store, params: FormTree, id: string): Subscription {
  const subscription = get(store.subscriptions, 'subscription', id);
  if (subscription.status === 'canceled')
    throw new ApiError(400, {
      message: 'A canceled subscription can only update its cancellation_details and metadata.',
    });
  const previous = {
    items: structuredClone(subscription.items),
    cancel_at_period_end: subscription.cancel_at_period_end,
  };
  const [wanted] = treesOf(params, 'items');
  if (wanted) changeItem(store, subscription, wanted, params);
  const cancels = flagOf(params, 'cancel_at_period_end');
  if (cancels !== undefined) {
    subscription.cancel_at_period_end = cancels;
    subscription.cancel_at = cancels ? itemOf(subscription).current_period_end : null;
    subscription.canceled_at = cancels ? store.seconds() : null;
  }
  subscription.metadata = mergeMetadata(params, subscription.metadata);
  store.emit('customer.subscription.updated', subscription, previous);
  return subscription;
}

function changeItem(store: Store, subscription: Subscription, wanted: FormTree, params: FormTree): void {
  const item = itemOf(subscription);
  const itemId = textOf(wanted, 'id');
  if (itemId !== item.id)
    throw new ApiError(400, {
      message: `No such subscription item: '${itemId}'`,
      param: 'items[0][id]',
      code: 'resource_missing',
    });
  const priceId = textOf(wanted, 'price') ?? item.price.id;
  const price = get(store.prices, 'price', priceId, 'items[0][price]');
  const quantity = numberOf(wanted, 'quantity') ?? item.quantity;
  if (price.currency !== subscription.currency)
    throw new ApiError(400, { message: 'The currencies of price and subscription differ.' });
  if (!price.active && price.id !== item.price.id)
    throw new ApiError(400, { message: 'The price specified is inactive.', param: 'items[0][price]' });
  const restarts = intervalOf(price) !== intervalOf(item.price) && subscription.status !== 'trialing';
  const now = store.seconds();
  const period = restarts
    ? { start: now, end: periodEndAfter(now, intervalOf(price), now) }
    : { start: item.current_period_start, end: item.current_period_end };
  const lines = prorated(subscription, { price, quantity }, { now, charged: { ...period, start: now } });
  const isInvoiced = textOf(params, 'proration_behavior') === 'always_invoice' && lines.length > 0;
  const { due } = amountsOf(get(store.customers, 'customer', subscription.customer), lines);
  const declines = due > 0 && store.cards.get(subscription.customer) === 'declines';
  if (isInvoiced && declines && textOf(params, 'payment_behavior') === 'error_if_incomplete')
    throw cardDeclined();
  Object.assign(item, {
    price,
    quantity,
    current_period_start: period.start,
    current_period_end: period.end,
  });
  if (restarts) subscription.billing_cycle_anchor = now;
  if (isInvoiced) invoiceChange(store, subscription, lines);
}

function prorated(
  subscription: Subscription,
  wanted: { price: Price; quantity: number },
  { now, charged }: { now: number; charged: { start: number; end: number } },
): LineDraft[] {
  const { price, quantity, current_period_start: start, current_period_end: end } = itemOf(subscription);
  if (subscription.status === 'trialing') return [];
  if (price.id === wanted.price.id && quantity === wanted.quantity) return [];
  const left = (end - now) / (end - start);
  const restarts = charged.end !== end;
  const share = restarts ? 1 : left;
  return [
    {
      amount: -Math.round(price.unit_amount * quantity * left),
      price,
      quantity,
      period: { start: now, end },
      proration: true,
    },
    {
      amount: Math.round(wanted.price.unit_amount * wanted.quantity * share),
      ...wanted,
      period: charged,
      proration: !restarts,
    },
  ];
}

function invoiceChange(store: Store, subscription: Subscription, lines: LineDraft[]): void {
  const { invoice, paid } = chargeNew(store, {
    customerId: subscription.customer,
    subscription,
    reason: 'subscription_update',
    lines,
  });
  if (paid) {
    store.emit('invoice.paid', invoice);
  } else {
    subscription.status = 'past_due';
    failed(store, invoice);
  }
}
