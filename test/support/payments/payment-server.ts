import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Clock, systemClock } from '../../../src/kit/clock.ts';
import { answerTo, type PaymentRequest } from './answer.ts';
import { updateSubscription } from './change-subscription.ts';
import { completeCheckout } from './checkouts.ts';
import {
  type Delivered,
  type DeliverOptions,
  type Delivery,
  deliverOnce,
  type SentEvent,
  signatureOf,
  startDelivery,
} from './deliveries.ts';
import { createFaults, type Faults } from './faults.ts';
import { createIdempotency } from './idempotency.ts';
import type { CheckoutSession, EventObject, Subscription } from './objects.ts';
import { get } from './paging.ts';
import { type Card, createStore, newId, type PaymentState } from './store.ts';
import { cancelSubscription, itemOf } from './subscriptions.ts';
import { catchUp, tryAgain } from './time.ts';

/**
 * A billing provider of ours that speaks the provider's API on a real socket. Usual use:
 *
 *     const server = await startPaymentServer();
 *     t.after(() => server.close());
 *     // BILLING_API_KEY=server.apiKey BILLING_API_BASE=server.url BILLING_WEBHOOK_SECRET=server.webhookSecret
 *     const delivery = server.deliverTo(`${service}/api/billing/webhook`);
 *     server.completeCheckout(checkoutId, { card: 'ok' });
 *     await delivery.idle();
 *     server.advance(31 * DAY_MS);
 *
 * Simpler than the provider: a renewal is charged at the end of the period, not an hour later; a charge that fails is repeated after
 * three days, three times, and then the subscription ends; invoices and ends of trials are announced three days before; prorations are
 * described at `updateSubscription`.
 */
export interface PaymentServer {
  /** For `BILLING_API_BASE`. */
  url: string;
  apiKey: string;
  /** The newest one. */
  readonly webhookSecret: string;
  /** Signs with the old secret too, until the next roll. Returns the new one. */
  rollWebhookSecret(): string;
  /** Acts as a customer on the page of a checkout; a `declined` card leaves it open. `declines` pays now but not later. */
  completeCheckout(checkoutId: string, how?: { card: Card | 'declined' }): CheckoutSession;
  /** Acts as a customer in the portal. Throws if the card is declined. */
  changeAtPortal(subscriptionId: string, change: PortalChange): Subscription;
  endAtPortal(subscriptionId: string): Subscription;
  setCard(customerId: string, card: Card): void;
  /** Charges the customer's card again; returns whether it was paid. */
  payOpenInvoice(invoiceId: string): boolean;
  /** Milliseconds; what falls due until then happens in its order. With 0, after a clock of the test was moved. */
  advance(ms: number): void;
  now(): number;
  faults: Faults;
  /** A customer is found by search only after this time; 0 at first. */
  searchLagMs: number;
  /** All made so far. */
  readonly events: SentEvent[];
  eventsOf(type: string): SentEvent[];
  /** An event of any content, which is not kept. */
  makeEvent(type: string, object: Record<string, unknown>, changed?: Partial<EventObject>): SentEvent;
  /** Sends events, by default all made so far, one time, whatever the answers are. */
  deliver(url: string, options?: DeliverOptions, events?: readonly SentEvent[]): Promise<Delivered[]>;
  /** From now on every new event is sent there at once, and again until it is accepted. */
  deliverTo(url: string): Delivery;
  /** The provider's objects as they are now; may be changed. */
  state: PaymentState;
  /** Every request, in the order of arrival. */
  requests: PaymentRequest[];
  /** Open connections of clients. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export interface PortalChange {
  priceId?: string;
  quantity?: number;
  cancelAtPeriodEnd?: boolean;
}

export async function startPaymentServer({
  clock = systemClock,
}: {
  clock?: Clock;
} = {}): Promise<PaymentServer> {
  const store = createStore(clock);
  const apiKey = newId('sk_test');
  const faults = createFaults();
  const requests: PaymentRequest[] = [];
  const parts = { store, apiKey, idempotency: createIdempotency() };
  const deliveries = new Set<Delivery>();
  let secrets = [newId('whsec')];

  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    const body = await text(incoming).catch(() => null);
    if (body === null) return;
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://localhost');
    const { method = '', headers } = incoming;
    const encoded = body === '' ? search.slice(1) : body;
    const request = {
      method,
      path: pathname,
      headers,
      params: Object.fromEntries(new URLSearchParams(encoded)),
    };
    requests.push(request);
    await answerTo(parts, request, encoded, response, faults.take(`${method} ${pathname}`));
  });
  // Connections that clients leave open are to be seen.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const sent = (event: EventObject): SentEvent => {
    const payload = JSON.stringify(event);
    return {
      id: event.id,
      type: event.type,
      payload,
      get headers() {
        return {
          'content-type': 'application/json; charset=utf-8',
          'billing-signature': signatureOf(payload, secrets, store.now()),
        };
      },
      event,
    };
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    get webhookSecret() {
      return secrets[0] ?? '';
    },
    rollWebhookSecret() {
      secrets = [newId('whsec'), ...secrets].slice(0, 2);
      return secrets[0] ?? '';
    },
    completeCheckout: (id, { card } = { card: 'ok' }) => completeCheckout(store, id, card),
    changeAtPortal: (id, change) =>
      updateSubscription(store, portalForm(get(store.subscriptions, 'subscription', id), change), id),
    endAtPortal: (id) => cancelSubscription(store, {}, id),
    setCard: (customerId, card) => void store.cards.set(customerId, card),
    payOpenInvoice: (id) => tryAgain(store, id),
    advance(ms) {
      store.skip(ms);
      catchUp(store);
    },
    now: () => store.now(),
    faults,
    get searchLagMs() {
      return store.searchLagMs;
    },
    set searchLagMs(ms) {
      store.searchLagMs = ms;
    },
    get events() {
      return store.events.map(sent);
    },
    eventsOf: (type) => store.events.filter((event) => event.type === type).map(sent),
    makeEvent: (type, object, changed) => sent(store.event(type, object, changed)),
    deliver: (url, options, events = store.events.map(sent)) => deliverOnce(url, events, options),
    deliverTo(url) {
      const delivery = startDelivery(url);
      const listener = (event: EventObject) => delivery.take(sent(event));
      store.listeners.add(listener);
      deliveries.add(delivery);
      return {
        ...delivery,
        async stop() {
          store.listeners.delete(listener);
          await delivery.stop();
        },
      };
    },
    state: store,
    requests,
    connections: () => promisify(server.getConnections.bind(server))(),
    async close() {
      store.listeners.clear();
      await Promise.all([...deliveries].map((delivery) => delivery.stop()));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function portalForm(subscription: Subscription, { priceId, quantity, cancelAtPeriodEnd }: PortalChange) {
  const item = {
    id: itemOf(subscription).id,
    ...(priceId !== undefined && { price: priceId }),
    ...(quantity !== undefined && { quantity: String(quantity) }),
  };
  return {
    ...(Object.keys(item).length > 1 && { items: { 0: item } }),
    ...(cancelAtPeriodEnd !== undefined && { cancel_at_period_end: String(cancelAtPeriodEnd) }),
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  };
}
