/** The provider's objects in the shape of the API version that `src/platform/payments` pins, without members that nobody reads. */
interface Base {
  id: string;
  created: number;
  livemode: false;
  metadata: Record<string, string>;
}

export type Interval = 'month' | 'year';

export interface Product extends Base {
  object: 'product';
  active: boolean;
  default_price: string | null;
  description: string | null;
  name: string;
  type: 'service';
}

export interface Price extends Base {
  object: 'price';
  active: boolean;
  billing_scheme: 'per_unit';
  currency: string;
  product: string;
  recurring: { interval: Interval; interval_count: number; usage_type: 'licensed' } | null;
  type: 'one_time' | 'recurring';
  unit_amount: number;
  unit_amount_decimal: string;
}

export interface Customer extends Base {
  object: 'customer';
  /** Negative: a credit that later invoices use. */
  balance: number;
  delinquent: boolean;
  email: string | null;
  name: string | null;
}

export interface ListOf<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  url: string;
}

export interface CheckoutLine {
  id: string;
  object: 'item';
  amount_subtotal: number;
  amount_total: number;
  currency: string;
  description: string;
  price: Price;
  quantity: number;
}

export interface CheckoutSession extends Base {
  object: 'checkout.session';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  currency: string;
  customer: string;
  expires_at: number;
  invoice: string | null;
  mode: 'payment' | 'subscription';
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  success_url: string | null;
  url: string | null;
}

export interface SubscriptionItem extends Base {
  object: 'subscription_item';
  current_period_start: number;
  current_period_end: number;
  price: Price;
  quantity: number;
  subscription: string;
}

export interface Subscription extends Base {
  object: 'subscription';
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  collection_method: 'charge_automatically';
  currency: string;
  customer: string;
  ended_at: number | null;
  items: ListOf<SubscriptionItem>;
  latest_invoice: string | null;
  start_date: number;
  status: 'trialing' | 'active' | 'past_due' | 'canceled' | 'unpaid' | 'incomplete' | 'paused';
  trial_start: number | null;
  trial_end: number | null;
}

export interface PortalConfiguration extends Base {
  object: 'billing_portal.configuration';
  active: boolean;
  is_default: boolean;
  features: Record<string, { enabled: boolean }>;
}

export interface InvoiceLine {
  id: string;
  object: 'line_item';
  amount: number;
  currency: string;
  description: string;
  livemode: false;
  metadata: Record<string, string>;
  parent: {
    invoice_item_details: null;
    subscription_item_details: {
      proration: boolean;
      subscription: string;
      subscription_item: string;
    };
    type: 'subscription_item_details';
  } | null;
  period: { start: number; end: number };
  pricing: { price_details: { price: string; product: string }; type: 'price_details' };
  quantity: number;
}

export interface Invoice extends Base {
  object: 'invoice';
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  billing_reason: string;
  currency: string;
  customer: string;
  customer_email: string | null;
  ending_balance: number | null;
  hosted_invoice_url: string | null;
  invoice_pdf: string | null;
  lines: ListOf<InvoiceLine>;
  next_payment_attempt: number | null;
  number: string | null;
  parent: {
    quote_details: null;
    subscription_details: { metadata: Record<string, string>; subscription: string };
    type: 'subscription_details';
  } | null;
  period_start: number;
  period_end: number;
  starting_balance: number;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  subtotal: number;
  total: number;
}

export interface WebhookEndpoint extends Base {
  object: 'webhook_endpoint';
  api_version: string | null;
  enabled_events: string[];
  status: 'enabled' | 'disabled';
  url: string;
  /** Shown once, when it is created. */
  secret?: string;
}

export interface EventObject {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}
