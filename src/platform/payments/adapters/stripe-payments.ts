import type Stripe from 'stripe';
import { type NewCheckout, type Payments, PaymentsError } from '../payments.ts';
import { type Json, objectIn, textIn } from './json.ts';
import { readInvoice } from './read-invoice.ts';
import { planItemOf, readCheckout, readSubscription } from './read-objects.ts';
import { listProducts, putProduct } from './stripe-catalog.ts';
import { API_VERSION, createStripeCaller, type StripeCaller, type StripeOptions } from './stripe-client.ts';
import { createCustomer } from './stripe-customer.ts';
import { portalConfiguration } from './stripe-portal.ts';

const MOST_INVOICES = 100;

export function createStripePayments(options: StripeOptions): Payments {
  const caller = createStripeCaller(options);
  return {
    products: () => listProducts(caller),
    putProduct: (plan) => putProduct(caller, plan),
    customer: (tenant) => createCustomer(caller, tenant),
    portalAddress: async (customer, returnUrl) => {
      const configuration = await portalConfiguration(caller);
      const session = await caller.call((stripe) =>
        stripe.billingPortal.sessions.create({ customer, return_url: returnUrl, configuration }),
      );
      return session.url;
    },
    probe: async () => void (await caller.call((stripe) => stripe.balance.retrieve())),
    close: () => caller.close(),
    ...checkoutsOf(caller),
    ...subscriptionsOf(caller),
    ...invoicesOf(caller),
    ...webhooksOf(caller),
  };
}

type Part<Name extends keyof Payments> = Pick<Payments, Name>;

/** The reader's result; an object that it does not understand is an error, not an absent one. */
function understood<Result>(read: (json: Json) => Result | null, object: object): Result {
  const result = read(objectIn(object));
  if (result === null)
    throw new PaymentsError('invalid', 'The billing provider answered with another kind of object');
  return result;
}

function checkoutsOf({ call, find }: StripeCaller): Part<'openCheckout' | 'checkout' | 'closeCheckout'> {
  return {
    async openCheckout(checkout, key) {
      const session = await call((stripe) =>
        stripe.checkout.sessions.create(sessionOf(checkout), { idempotencyKey: `checkout-${key}` }),
      );
      return understood(readCheckout, session);
    },
    async checkout(id) {
      const session = await find((stripe) =>
        stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] }),
      );
      return session && understood(readCheckout, session);
    },
    async closeCheckout(id) {
      try {
        await call((stripe) => stripe.checkout.sessions.expire(id));
        return true;
      } catch (error) {
        if (!(error instanceof PaymentsError) || error.code !== 'invalid') throw error;
        const { status } = await call((stripe) => stripe.checkout.sessions.retrieve(id));
        if (status === 'open') throw error;
        return status === 'expired';
      }
    },
  };
}

function sessionOf(checkout: NewCheckout): Stripe.Checkout.SessionCreateParams {
  const { customerId, priceId, quantity, mode, trialDays, userId, successUrl, cancelUrl } = checkout;
  const metadata = { ...checkout.metadata };
  return {
    mode,
    customer: customerId,
    line_items: [{ price: priceId, quantity }],
    client_reference_id: userId,
    metadata,
    success_url: successUrl,
    cancel_url: cancelUrl,
    ...(mode === 'subscription'
      ? { subscription_data: { metadata, ...(trialDays !== undefined && { trial_period_days: trialDays }) } }
      : // A subscription always has invoices, a payment only on demand.
        { payment_intent_data: { metadata }, invoice_creation: { enabled: true } }),
  };
}

function subscriptionsOf({
  call,
  find,
  all,
}: StripeCaller): Part<'subscription' | 'subscriptionsOf' | 'changeSubscription' | 'endSubscription'> {
  return {
    async subscription(id) {
      const found = await find((stripe) => stripe.subscriptions.retrieve(id));
      return found && understood(readSubscription, found);
    },
    async subscriptionsOf(customer) {
      const found = await all((stripe, page) =>
        stripe.subscriptions.list({ ...page, customer, status: 'all' }),
      );
      return found.map(readSubscription).filter((each) => each !== null);
    },
    async changeSubscription(id, change, key) {
      const before = await call((stripe) => stripe.subscriptions.retrieve(id));
      const changed = await call((stripe) =>
        stripe.subscriptions.update(id, updateOf(objectIn(before), change), {
          idempotencyKey: `change-${key}`,
        }),
      );
      return understood(readSubscription, changed);
    },
    async endSubscription(id) {
      // One that has ended is unknown to this call alone.
      const ended = await find((stripe) => stripe.subscriptions.cancel(id));
      return understood(
        readSubscription,
        ended ?? (await call((stripe) => stripe.subscriptions.retrieve(id))),
      );
    },
  };
}

function updateOf(
  before: Json,
  { priceId, quantity, cancelAtPeriodEnd, paid = 'now' }: Parameters<Payments['changeSubscription']>[1],
): Stripe.SubscriptionUpdateParams {
  const item = textIn(planItemOf(before)?.id);
  if (item === null) throw new PaymentsError('invalid', 'The subscription has no plan');
  const isPaid = priceId !== undefined || quantity !== undefined;
  return {
    ...(isPaid && {
      items: [
        {
          id: item,
          ...(priceId !== undefined && { price: priceId }),
          ...(quantity !== undefined && { quantity }),
        },
      ],
      proration_behavior: paid === 'now' ? 'always_invoice' : 'none',
      payment_behavior: 'error_if_incomplete',
    }),
    ...(cancelAtPeriodEnd !== undefined && { cancel_at_period_end: cancelAtPeriodEnd }),
  };
}

function invoicesOf({ call, find }: StripeCaller): Part<'invoices' | 'invoice'> {
  return {
    async invoices(customer, { limit, after }) {
      const page = await call((stripe) =>
        stripe.invoices.list({
          customer,
          limit: Math.min(limit, MOST_INVOICES),
          ...(after !== undefined && { starting_after: after }),
        }),
      );
      return { items: page.data.map((each) => understood(readInvoice, each)), hasMore: page.has_more };
    },
    async invoice(id) {
      const found = await find((stripe) => stripe.invoices.retrieve(id));
      return found && understood(readInvoice, found);
    },
  };
}

function webhooksOf({ call, all }: StripeCaller): Part<'webhooks' | 'addWebhook' | 'changeWebhook'> {
  const change: Payments['changeWebhook'] = async ({ webhookId, url, events, isEnabled }) => {
    await call((stripe) =>
      stripe.webhookEndpoints.update(webhookId, {
        url,
        enabled_events: namesOf(events),
        disabled: !isEnabled,
      }),
    );
  };
  return {
    async webhooks() {
      const found = await all((stripe, page) => stripe.webhookEndpoints.list(page));
      return found.map((each) => ({
        webhookId: textIn(each.id) ?? '',
        url: textIn(each.url) ?? '',
        events: Array.isArray(each.enabled_events) ? each.enabled_events.map(String) : [],
        isEnabled: each.status === 'enabled',
      }));
    },
    async addWebhook({ url, events, isEnabled }) {
      const { id, secret } = await call((stripe) =>
        stripe.webhookEndpoints.create({
          url,
          enabled_events: namesOf(events),
          api_version: API_VERSION,
        }),
      );
      if (secret === undefined) throw new PaymentsError('invalid', 'The new webhook came without a secret');
      if (!isEnabled) await change({ webhookId: id, url, events, isEnabled });
      return { webhookId: id, secret };
    },
    changeWebhook: change,
  };
}

/** The provider refuses names that it does not know. */
const namesOf = (events: string[]) => events as Stripe.WebhookEndpointCreateParams.EnabledEvent[];
