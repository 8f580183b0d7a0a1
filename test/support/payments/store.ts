import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/kit/clock.ts';
import type {
  CheckoutSession,
  Customer,
  EventObject,
  Invoice,
  PortalConfiguration,
  Price,
  Product,
  Subscription,
  WebhookEndpoint,
} from './objects.ts';

/** `declines`: every charge of it fails. */
export type Card = 'ok' | 'declines';

/** The wishes of a session, for the subscription or payment that it becomes. */
export interface CheckoutPlan {
  price: string;
  quantity: number;
  trialDays: number | null;
  metadata: Record<string, string>;
  withInvoice: boolean;
}

/** Everything that the server knows; insertion order is the order of creation. */
export interface PaymentState {
  products: Map<string, Product>;
  prices: Map<string, Price>;
  customers: Map<string, Customer>;
  checkouts: Map<string, CheckoutSession>;
  subscriptions: Map<string, Subscription>;
  invoices: Map<string, Invoice>;
  endpoints: Map<string, WebhookEndpoint>;
  portals: Map<string, PortalConfiguration>;
  /** Of customers; none pays like `ok`. */
  cards: Map<string, Card>;
}

export interface Store extends PaymentState {
  plans: Map<string, CheckoutPlan>;
  /** Announcements made already, as `upcoming sub_1 1700000000`. */
  announced: Set<string>;
  /** A customer is found by search only when it is older. */
  searchLagMs: number;
  /** Milliseconds. */
  now(): number;
  seconds(): number;
  /** Moves the clock, or holds it at a time while something due then is done. */
  skip(ms: number): void;
  hold(atMs: number | null): void;
  emit(type: string, object: object, previous?: Record<string, unknown>): void;
  /** One that is not kept. */
  event(type: string, object: object, changed?: Partial<EventObject>): EventObject;
  events: EventObject[];
  /** Told of every new event. */
  listeners: Set<(event: EventObject) => void>;
}

export const API_VERSION = '2026-10-28.endive';

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

export function createStore(clock: Clock): Store {
  let skipped = 0;
  let held: number | null = null;
  const store: Store = {
    products: new Map(),
    prices: new Map(),
    customers: new Map(),
    checkouts: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    endpoints: new Map(),
    portals: new Map(),
    cards: new Map(),
    plans: new Map(),
    announced: new Set(),
    searchLagMs: 0,
    now: () => held ?? clock.now() + skipped,
    seconds: () => Math.floor(store.now() / 1000),
    skip(ms) {
      skipped += ms;
    },
    hold(atMs) {
      held = atMs;
    },
    events: [],
    listeners: new Set(),
    event: (type, object, changed) => ({
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: store.seconds(),
      data: structuredClone({ object: object as Record<string, unknown> }),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      ...changed,
    }),
    emit(type, object, previous) {
      const event = store.event(type, object);
      if (previous) event.data.previous_attributes = previous;
      store.events.push(event);
      for (const listener of store.listeners) listener(event);
    },
  };
  return store;
}

export const baseOf = (store: Store, prefix: string, metadata: Record<string, string>) => ({
  id: newId(prefix),
  created: store.seconds(),
  livemode: false as const,
  metadata,
});
