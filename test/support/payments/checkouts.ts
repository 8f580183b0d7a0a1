import { ApiError } from './api-error.ts';
import {
  type FormTree,
  flagOf,
  mergeMetadata,
  needed,
  numberOf,
  textOf,
  textsOf,
  treeOf,
  treesOf,
} from './form.ts';
import { chargeNew } from './invoices.ts';
import type { CheckoutLine, CheckoutSession } from './objects.ts';
import { get } from './paging.ts';
import { baseOf, type Card, newId, type Store } from './store.ts';
import { intervalOf, startSubscription } from './subscriptions.ts';

const DAY = 86_400;

export function createCheckout(store: Store, params: FormTree): CheckoutSession {
  const mode = needed(params, 'mode');
  if (mode !== 'payment' && mode !== 'subscription')
    throw new ApiError(400, { message: `Invalid mode: ${mode}`, param: 'mode' });
  const customer = get(store.customers, 'customer', needed(params, 'customer'), 'customer');
  const [line = {}] = treesOf(params, 'line_items');
  const price = get(store.prices, 'price', needed(line, 'price'), 'line_items[0][price]');
  if (!price.active)
    throw new ApiError(400, { message: 'The price specified is inactive.', param: 'line_items[0][price]' });
  if (mode === 'subscription') intervalOf(price);
  else if (price.recurring)
    throw new ApiError(400, {
      message: 'You must provide one-time prices in `payment` mode.',
      param: 'mode',
    });
  const quantity = numberOf(line, 'quantity') ?? 1;
  const data = treeOf(params, mode === 'subscription' ? 'subscription_data' : 'payment_intent_data');
  const trialDays = numberOf(data, 'trial_period_days') ?? null;
  const total = trialDays === null ? price.unit_amount * quantity : 0;
  const base = baseOf(store, 'cs_test', mergeMetadata(params));
  const session: CheckoutSession = {
    ...base,
    object: 'checkout.session',
    amount_subtotal: total,
    amount_total: total,
    cancel_url: textOf(params, 'cancel_url') ?? null,
    client_reference_id: textOf(params, 'client_reference_id') ?? null,
    currency: price.currency,
    customer: customer.id,
    expires_at: base.created + DAY,
    invoice: null,
    mode,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: textOf(params, 'success_url') ?? null,
    url: `https://checkout.example.com/c/pay/${base.id}`,
  };
  store.checkouts.set(session.id, session);
  store.plans.set(session.id, {
    price: price.id,
    quantity,
    trialDays,
    metadata: mergeMetadata(data),
    withInvoice: flagOf(treeOf(params, 'invoice_creation'), 'enabled') ?? false,
  });
  return session;
}

/** With `line_items` if they are asked for. */
export function retrieveCheckout(store: Store, params: FormTree, id: string): object {
  const session = get(store.checkouts, 'checkout.session', id);
  if (!textsOf(params, 'expand').includes('line_items')) return session;
  const { price, quantity } = planOf(store, id);
  const line: CheckoutLine = {
    id: newId('li'),
    object: 'item',
    amount_subtotal: session.amount_subtotal,
    amount_total: session.amount_total,
    currency: session.currency,
    description: price.id,
    price,
    quantity,
  };
  const url = `/v1/checkout/sessions/${id}/line_items`;
  return { ...session, line_items: { object: 'list', data: [line], has_more: false, url } };
}

export function expireCheckout(store: Store, _params: FormTree, id: string): CheckoutSession {
  const session = get(store.checkouts, 'checkout.session', id);
  if (session.status !== 'open')
    throw new ApiError(400, {
      message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    });
  return Object.assign(session, { status: 'expired', url: null });
}

/** Pays on the page of a checkout. A declined card leaves it open, as if nobody had come. */
export function completeCheckout(store: Store, id: string, card: Card | 'declined'): CheckoutSession {
  const session = get(store.checkouts, 'checkout.session', id);
  if (session.status !== 'open') throw new Error(`${id} is ${session.status}`);
  if (card === 'declined') return session;
  const { price, quantity, trialDays, metadata, withInvoice } = planOf(store, id);
  const customerId = session.customer;
  store.cards.set(customerId, 'ok');
  Object.assign(session, { status: 'complete', url: null });
  session.payment_status = session.amount_total === 0 ? 'no_payment_required' : 'paid';
  if (session.mode === 'subscription') {
    const subscription = startSubscription(store, { customerId, price, quantity, trialDays, metadata });
    session.subscription = subscription.id;
    session.invoice = subscription.latest_invoice;
  } else {
    session.payment_intent = newId('pi');
    if (withInvoice) session.invoice = invoiceOf(store, session);
  }
  store.cards.set(customerId, card);
  store.emit('checkout.session.completed', session);
  return session;
}

function invoiceOf(store: Store, session: CheckoutSession): string {
  const { price, quantity } = planOf(store, session.id);
  const now = store.seconds();
  const { invoice } = chargeNew(store, {
    customerId: session.customer,
    subscription: null,
    reason: 'manual',
    lines: [
      {
        amount: price.unit_amount * quantity,
        price,
        quantity,
        period: { start: now, end: now },
        proration: false,
      },
    ],
  });
  store.emit('invoice.paid', invoice);
  return invoice.id;
}

function planOf(store: Store, id: string) {
  const plan = store.plans.get(id);
  if (plan === undefined) throw new Error(`${id} has no plan`);
  return { ...plan, price: get(store.prices, 'price', plan.price) };
}
