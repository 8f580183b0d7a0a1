import { ApiError } from './api-error.ts';
import { type FormTree, textOf } from './form.ts';
import { chargeNew, draftInvoice } from './invoices.ts';
import type { Invoice, Price, Subscription, SubscriptionItem } from './objects.ts';
import { get, pageOf } from './paging.ts';
import { periodEndAfter } from './periods.ts';
import { baseOf, type Store } from './store.ts';

const DAY = 86_400;

export interface NewSubscription {
  customerId: string;
  price: Price;
  quantity: number;
  trialDays: number | null;
  metadata: Record<string, string>;
}

export const intervalOf = ({ recurring }: Price) => {
  if (recurring === null)
    throw new ApiError(400, { message: 'The price specified is set to `type=one_time`.' });
  return recurring.interval;
};

export function itemOf({ items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (item === undefined) throw new Error('A subscription without an item');
  return item;
}

/** Paid at once; the card was checked before. A trial has an invoice of nothing. */
export function startSubscription(store: Store, given: NewSubscription): Subscription {
  const { customerId, price, quantity, trialDays, metadata } = given;
  const base = baseOf(store, 'sub', metadata);
  const now = base.created;
  const trialEnd = trialDays === null ? null : now + trialDays * DAY;
  const end = trialEnd ?? periodEndAfter(now, intervalOf(price), now);
  const item: SubscriptionItem = {
    ...baseOf(store, 'si', {}),
    object: 'subscription_item',
    current_period_start: now,
    current_period_end: end,
    price,
    quantity,
    subscription: base.id,
  };
  const subscription: Subscription = {
    ...base,
    object: 'subscription',
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: 'charge_automatically',
    currency: price.currency,
    customer: customerId,
    ended_at: null,
    items: {
      object: 'list',
      data: [item],
      has_more: false,
      url: `/v1/subscription_items?subscription=${base.id}`,
    },
    latest_invoice: null,
    start_date: now,
    status: trialEnd === null ? 'active' : 'trialing',
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
  };
  store.subscriptions.set(subscription.id, subscription);
  const { invoice } = chargeNew(store, {
    customerId,
    subscription,
    reason: 'subscription_create',
    lines: [periodLine(subscription, trialEnd === null)],
  });
  store.emit('customer.subscription.created', subscription);
  store.emit('invoice.paid', invoice);
  return subscription;
}

/** The present period, whole. */
function periodLine(subscription: Subscription, isCharged: boolean) {
  const { price, quantity, current_period_start: start, current_period_end: end } = itemOf(subscription);
  const amount = isCharged ? price.unit_amount * quantity : 0;
  return { amount, price, quantity, period: { start, end }, proration: false };
}

/** To the next period, with its invoice; the period begins also if the card is declined. */
export function renew(store: Store, subscription: Subscription): void {
  const item = itemOf(subscription);
  const start = item.current_period_end;
  const { status } = subscription;
  const previous = { status, items: structuredClone(subscription.items) };
  item.current_period_start = start;
  item.current_period_end = periodEndAfter(subscription.billing_cycle_anchor, intervalOf(item.price), start);
  const { invoice, paid } = chargeNew(store, {
    customerId: subscription.customer,
    subscription,
    reason: 'subscription_cycle',
    lines: [periodLine(subscription, true)],
  });
  subscription.status = paid ? 'active' : 'past_due';
  store.emit('customer.subscription.updated', subscription, previous);
  if (paid) store.emit('invoice.paid', invoice);
  else failed(store, invoice);
}

const RETRY_AFTER = 3 * DAY;
const MOST_ATTEMPTS = 4;

/** Tries again after three days, three times. */
export function failed(store: Store, invoice: Invoice): void {
  invoice.next_payment_attempt = invoice.attempt_count < MOST_ATTEMPTS ? store.seconds() + RETRY_AFTER : null;
  store.emit('invoice.payment_failed', invoice);
}

/** The invoice of the next period, as it will be if nothing changes. */
export function announce(store: Store, subscription: Subscription): void {
  const next = structuredClone(subscription);
  const item = itemOf(next);
  item.current_period_start = item.current_period_end;
  item.current_period_end = periodEndAfter(
    next.billing_cycle_anchor,
    intervalOf(item.price),
    item.current_period_start,
  );
  const { id: _, ...upcoming } = draftInvoice(store, {
    customerId: subscription.customer,
    subscription,
    reason: 'upcoming',
    lines: [periodLine(next, true)],
  });
  store.emit('invoice.upcoming', upcoming);
}

export function end(store: Store, subscription: Subscription): Subscription {
  subscription.status = 'canceled';
  subscription.canceled_at ??= store.seconds();
  subscription.ended_at = store.seconds();
  store.emit('customer.subscription.deleted', subscription);
  return subscription;
}

export function cancelSubscription(store: Store, _params: FormTree, id: string): Subscription {
  const subscription = get(store.subscriptions, 'subscription', id);
  if (subscription.status === 'canceled')
    throw new ApiError(404, {
      code: 'resource_missing',
      message: `No such subscription: '${id}'`,
      param: 'id',
    });
  return end(store, subscription);
}

export const retrieveSubscription = (store: Store, _params: FormTree, id: string): Subscription =>
  get(store.subscriptions, 'subscription', id);

/** Without ended ones, unless `status` is `all`. */
export function listSubscriptions(store: Store, params: FormTree) {
  const customer = textOf(params, 'customer');
  const status = textOf(params, 'status');
  const matching = [...store.subscriptions.values()].filter(
    (each) =>
      (customer === undefined || each.customer === customer) &&
      (status === 'all' || (status === undefined ? each.status !== 'canceled' : each.status === status)),
  );
  return pageOf(matching, params, '/v1/subscriptions');
}
