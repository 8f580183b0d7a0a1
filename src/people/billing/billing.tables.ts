import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { BillingInterval } from '../../platform/payments/payments.ts';
import type { SubscriptionState } from './subscription.contract.ts';

export interface CustomerRow {
  tenant_id: string;
  customer_id: string;
}

/** Times are milliseconds since the epoch. */
export interface SubscriptionRow {
  subscription_id: string;
  tenant_id: string;
  customer_id: string;
  state: SubscriptionState;
  plan: string;
  price_id: string;
  interval: BillingInterval;
  quantity: number;
  /** Of one, for a period. */
  unit_amount: number;
  is_per_seat: number;
  /** The tenant paid for more than is ordered now, and keeps it until the period ends: JSON of an `Order`. */
  kept: string | null;
  anchor_at: number;
  period_start: number;
  period_end: number;
  trial_end: number | null;
  cancel_at_period_end: number;
  created_at: number;
  ended_at: number | null;
  /** When this was so: the time of the event that told, or of the answer of the provider. */
  state_at: number;
  /** The first failed payment since the last one that succeeded. */
  unpaid_since: number | null;
  grace_ends_at: number | null;
  /** When its coming end was announced. */
  trial_told_at: number | null;
  /** The amount of the next invoice, as announced. */
  upcoming_amount: number | null;
  upcoming_currency: string | null;
  upcoming_told_at: number | null;
  /** A second one of the tenant: it gives nothing, and the provider is asked to end it. */
  is_extra: number;
  /** When the provider was last asked about it, or when work on it failed: those come last. */
  looked_at: number;
  /** Grows with every news. */
  version: number;
}

export type EventOutcome = 'applied' | 'ignored' | 'unknown_type' | 'unknown_customer' | 'stale' | 'held';
export const EVENT_OUTCOMES = [
  'applied',
  'ignored',
  'unknown_type',
  'unknown_customer',
  'stale',
  'held',
] as const satisfies readonly EventOutcome[];

export interface EventRow {
  event_id: string;
  type: string;
  /** When the provider made it. */
  created_at: number;
  received_at: number;
  outcome: EventOutcome;
  tenant_id: string | null;
  object_id: string | null;
  /** Why it was not applied. */
  note: string | null;
  /** As received, for inspection. */
  payload: string;
}

/** A page of the provider that was opened for a tenant. */
export interface CheckoutRow {
  checkout_id: string;
  tenant_id: string;
  mode: 'subscription' | 'payment';
  status: 'open' | 'closed';
  /** Of the header `Idempotency-Key`. */
  request_key: string | null;
  /** Hash of what was asked for. */
  request: string;
  url: string;
  /** The price and the credits of one; credits are 0 for a plan. */
  price_id: string;
  amount: number;
  currency: string;
  credits: number;
  created_at: number;
  looked_at: number;
}

export interface PurchaseRow {
  checkout_id: string;
  tenant_id: string;
  user_id: string;
  credits: number;
  amount: number;
  currency: string;
  /** `pending`: paid later, such as by bank transfer. `held`: an operator has to look. */
  status: 'pending' | 'booked' | 'held';
  created_at: number;
  booked_at: number | null;
}

export interface InvoiceRow {
  invoice_id: string;
  tenant_id: string;
  subscription_id: string | null;
  number: string | null;
  status: string;
  amount_due: number;
  amount_paid: number;
  currency: string;
  period_start: number | null;
  period_end: number | null;
  created_at: number;
  paid_at: number | null;
  page_url: string | null;
  pdf_url: string | null;
}

/** A change of a subscription that was made for an `Idempotency-Key`. */
export interface ChangeRow {
  tenant_id: string;
  request_key: string;
  /** Hash of what was asked for. */
  request: string;
  made_at: number;
}

/** The provider's products, as last seen. */
export interface CatalogRow {
  name: string;
  body: string;
  as_of: number;
}

export interface BillingTables {
  billing_customers: CustomerRow;
  billing_subscriptions: SubscriptionRow;
  billing_events: EventRow;
  billing_checkouts: CheckoutRow;
  billing_purchases: PurchaseRow;
  billing_invoices: InvoiceRow;
  billing_changes: ChangeRow;
  billing_catalog: CatalogRow;
}

export const billingMigrations: readonly Migration[] = [
  {
    name: 'billing-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'billing_customers', [
        key(text, 'tenant_id'),
        (table) => table.addColumn('customer_id', text, (column) => column.notNull().unique()),
      ]);
      await createTable(schema, 'billing_subscriptions', [
        key(text, 'subscription_id'),
        notNull(text, 'tenant_id', 'customer_id', 'state', 'plan', 'price_id', 'interval'),
        notNull('integer', 'quantity', 'is_per_seat', 'cancel_at_period_end', 'is_extra', 'version'),
        notNull(bigint, 'anchor_at', 'period_start', 'period_end', 'created_at', 'state_at', 'looked_at'),
        nullable(bigint, 'trial_end', 'ended_at', 'unpaid_since', 'grace_ends_at', 'trial_told_at'),
        nullable(bigint, 'upcoming_amount', 'upcoming_told_at'),
        nullable(text, 'upcoming_currency'),
      ]);
      await createIndex(schema, 'billing_subscriptions_tenant', 'billing_subscriptions', ['tenant_id']);
      await createIndex(schema, 'billing_subscriptions_state', 'billing_subscriptions', [
        'state',
        'period_end',
      ]);
      await createTable(schema, 'billing_events', [
        key(text, 'event_id'),
        notNull(text, 'type', 'outcome', 'payload'),
        notNull(bigint, 'created_at', 'received_at'),
        nullable(text, 'tenant_id', 'object_id', 'note'),
      ]);
      await createIndex(schema, 'billing_events_received', 'billing_events', ['received_at']);
    },
  },
  {
    name: 'billing-2',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'billing_checkouts', [
        key(text, 'checkout_id'),
        notNull(text, 'tenant_id', 'mode', 'status', 'request', 'url', 'price_id', 'currency'),
        nullable(text, 'request_key'),
        notNull(bigint, 'amount', 'credits', 'created_at', 'looked_at'),
      ]);
      await createIndex(schema, 'billing_checkouts_tenant', 'billing_checkouts', ['tenant_id', 'status']);
      await createTable(schema, 'billing_purchases', [
        key(text, 'checkout_id'),
        notNull(text, 'tenant_id', 'user_id', 'currency', 'status'),
        notNull(bigint, 'credits', 'amount', 'created_at'),
        nullable(bigint, 'booked_at'),
      ]);
      await createIndex(schema, 'billing_purchases_tenant', 'billing_purchases', ['tenant_id', 'created_at']);
      await createTable(schema, 'billing_invoices', [
        key(text, 'invoice_id'),
        notNull(text, 'tenant_id', 'status', 'currency'),
        nullable(text, 'subscription_id', 'number', 'page_url', 'pdf_url'),
        notNull(bigint, 'amount_due', 'amount_paid', 'created_at'),
        nullable(bigint, 'period_start', 'period_end', 'paid_at'),
      ]);
      await createIndex(schema, 'billing_invoices_tenant', 'billing_invoices', ['tenant_id', 'created_at']);
      await createTable(schema, 'billing_catalog', [
        key(text, 'name'),
        notNull(text, 'body'),
        notNull(bigint, 'as_of'),
      ]);
    },
  },
  {
    name: 'billing-3',
    async up({ schema }, { text, bigint }) {
      await schema
        .alterTable('billing_subscriptions')
        .addColumn('unit_amount', bigint, (column) => column.notNull().defaultTo(0))
        .execute();
      await schema.alterTable('billing_subscriptions').addColumn('kept', text).execute();
      await createTable(schema, 'billing_changes', [
        notNull(text, 'tenant_id', 'request_key', 'request'),
        notNull(bigint, 'made_at'),
        keyOf('tenant_id', 'request_key'),
      ]);
    },
  },
];
