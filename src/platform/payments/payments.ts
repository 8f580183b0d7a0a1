/**
 * The billing provider. Amounts are whole numbers of the currency's smallest unit, currencies are lower-case ISO codes, times are
 * milliseconds since the epoch.
 */
export interface Payments {
  /** Everything that is for sale, with prices that are active. */
  products(): Promise<PaymentProduct[]>;
  /** Creates the tenant's customer; repeated with the same tenant, it returns the same one. */
  customer(tenant: { tenantId: string; name: string; email: string }): Promise<string>;
  /** A page of the provider at which a customer pays. `key` makes a repeated call return the same page. */
  openCheckout(checkout: NewCheckout, key: string): Promise<Checkout>;
  /** Null for an unknown id. */
  checkout(checkoutId: string): Promise<Checkout | null>;
  /** Nobody can pay there any more. Returns false if it was completed before. */
  closeCheckout(checkoutId: string): Promise<boolean>;
  /** A page of the provider at which a customer changes card and address, reads invoices and cancels; good for minutes. */
  portalAddress(customerId: string, returnUrl: string): Promise<string>;
  /** Null for an unknown id. */
  subscription(subscriptionId: string): Promise<PaidSubscription | null>;
  /** Newest first, ended ones too. */
  subscriptionsOf(customerId: string): Promise<PaidSubscription[]>;
  /** Members left out stay. `refused` if the card was declined: nothing was changed. */
  changeSubscription(
    subscriptionId: string,
    change: SubscriptionChange,
    key: string,
  ): Promise<PaidSubscription>;
  /** At once. One that had ended stays as it is. */
  endSubscription(subscriptionId: string): Promise<PaidSubscription>;
  /** Newest first; `after` is the last id of the page before. */
  invoices(customerId: string, page: { limit: number; after?: string }): Promise<Page<Invoice>>;
  /** Null for an unknown id. */
  invoice(invoiceId: string): Promise<Invoice | null>;
  /** Creates or changes the product with this `code`, and its price if amount, currency or interval differ. */
  putProduct(product: ProductPlan): Promise<void>;
  webhooks(): Promise<PaymentWebhook[]>;
  /** Returns the secret of a new one. */
  addWebhook(webhook: Omit<PaymentWebhook, 'webhookId'>): Promise<{ webhookId: string; secret: string }>;
  changeWebhook(webhook: PaymentWebhook): Promise<void>;
  /** Rejects unless the provider accepts the key. */
  probe(): Promise<void>;
  close(): void;
}

export type BillingInterval = 'month' | 'year';

export interface PaymentPrice {
  priceId: string;
  amount: number;
  currency: string;
  /** Null for a single payment. */
  interval: BillingInterval | null;
}

export interface PaymentProduct {
  productId: string;
  /** Ours, from its metadata; null for what others added there. */
  code: string | null;
  name: string;
  description: string;
  /** Metadata `canonry_plan`; null unless it is a subscription to a plan. */
  plan: string | null;
  /** Metadata `canonry_credits`; null unless it is a block of credits. */
  credits: number | null;
  /** Charged once per seat. */
  perSeat: boolean;
  prices: PaymentPrice[];
}

/** A product as `canonry billing setup` wants it. */
export interface ProductPlan {
  code: string;
  name: string;
  description: string;
  plan: string | null;
  credits: number | null;
  perSeat: boolean;
  prices: Omit<PaymentPrice, 'priceId'>[];
}

export interface NewCheckout {
  customerId: string;
  priceId: string;
  quantity: number;
  mode: 'subscription' | 'payment';
  /** Days; subscriptions only. */
  trialDays?: number;
  /** Becomes `client_reference_id`. */
  userId: string;
  /** Also copied to the subscription or payment. */
  metadata: Readonly<Record<string, string>>;
  successUrl: string;
  cancelUrl: string;
}

export interface Checkout {
  checkoutId: string;
  /** Null once it is over. */
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  mode: 'subscription' | 'payment' | 'setup';
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  customerId: string | null;
  subscriptionId: string | null;
  /** `client_reference_id`. */
  userId: string | null;
  metadata: Readonly<Record<string, string>>;
  /** The bought items; only `checkout` knows them, other calls may leave this empty. */
  lines: { priceId: string; quantity: number }[];
  amount: number;
  currency: string;
  createdAt: number;
}

export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface PaidSubscription {
  subscriptionId: string;
  customerId: string;
  status: SubscriptionStatus;
  priceId: string;
  productId: string;
  interval: BillingInterval;
  quantity: number;
  /** Of one, for a period. */
  unitAmount: number;
  metadata: Readonly<Record<string, string>>;
  /** From it the days of later periods are counted. */
  anchorAt: number;
  periodStart: number;
  periodEnd: number;
  trialEnd: number | null;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
  createdAt: number;
}

export interface SubscriptionChange {
  priceId?: string;
  quantity?: number;
  cancelAtPeriodEnd?: boolean;
  /** Another price or quantity: `now` charges or credits the rest of the period at once, `next_period` leaves this period as it is paid. */
  paid?: 'now' | 'next_period';
}

export interface Invoice {
  /** Empty for one that is only announced. */
  invoiceId: string;
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  customerId: string;
  subscriptionId: string | null;
  /** Why the provider made it, such as `subscription_cycle`. */
  reason: string | null;
  amountDue: number;
  amountPaid: number;
  currency: string;
  /** The period of the subscription that it pays for; null for a single payment. */
  periodStart: number | null;
  periodEnd: number | null;
  createdAt: number;
  paidAt: number | null;
  /** Pages of the provider; null for drafts. */
  pageUrl: string | null;
  pdfUrl: string | null;
}

export interface Page<Item> {
  items: Item[];
  hasMore: boolean;
}

export interface PaymentWebhook {
  webhookId: string;
  url: string;
  events: string[];
  isEnabled: boolean;
}

/** An event as it arrived; `object` is the provider's JSON, in the form of the API version that the event names. */
export interface PaymentEvent {
  eventId: string;
  type: string;
  createdAt: number;
  apiVersion: string | null;
  isLive: boolean;
  object: PaymentEventObject;
}

/** The object of an event, as far as it was understood. */
export type PaymentEventObject =
  | { kind: 'checkout'; checkout: Checkout }
  | { kind: 'subscription'; subscription: PaidSubscription }
  | { kind: 'invoice'; invoice: Invoice }
  | { kind: 'other'; objectId: string | null };

/** Checks and reads webhooks; it needs the webhook's secret alone. */
export interface PaymentEvents {
  /**
   * Verifies the signature `t=…,v1=…` over the raw body, at most five minutes old, and reads the event. Throws a `PaymentsError`:
   * `unauthorized` for a signature that is missing, wrong or too old, `invalid` for a body that is no event.
   */
  read(payload: Buffer, signature: string | undefined, nowMs: number): PaymentEvent;
}

/**
 * `unavailable`: no answer, or the provider failed; a change may have happened, and repeating it with its key is safe. `limited`: too
 * many calls. `refused`: the payment was declined. `unauthorized`: the key or signature is wrong. `invalid`: the provider does not
 * accept the request. `conflict`: it is being changed by another call.
 */
export class PaymentsError extends Error {
  readonly code: 'unavailable' | 'limited' | 'refused' | 'unauthorized' | 'invalid' | 'conflict';

  constructor(code: PaymentsError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentsError';
    this.code = code;
  }
}
