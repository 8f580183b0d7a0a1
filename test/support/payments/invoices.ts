import { type FormTree, textOf } from './form.ts';
import type { Customer, Invoice, InvoiceLine, Price, Subscription } from './objects.ts';
import { get, pageOf } from './paging.ts';
import { baseOf, newId, type Store } from './store.ts';

export interface LineDraft {
  amount: number;
  price: Price;
  quantity: number;
  period: { start: number; end: number };
  proration: boolean;
}

export interface InvoiceDraft {
  customerId: string;
  /** Null for a single payment. */
  subscription: Subscription | null;
  reason: string;
  lines: LineDraft[];
  metadata?: Record<string, string>;
}

/** A credit of the customer is used first; a negative total becomes one. */
export function amountsOf(customer: Customer, lines: readonly LineDraft[]) {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const afterwards = customer.balance + total;
  return { total, due: Math.max(0, afterwards), balance: Math.min(0, afterwards) };
}

/** Also for an invoice that is only announced, which is kept nowhere. */
export function draftInvoice(store: Store, draft: InvoiceDraft): Invoice {
  const { subscription, reason, lines, metadata = {} } = draft;
  const customer = get(store.customers, 'customer', draft.customerId);
  const { total, due, balance } = amountsOf(customer, lines);
  const base = baseOf(store, 'in', metadata);
  const now = base.created;
  return {
    ...base,
    object: 'invoice',
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    attempted: false,
    billing_reason: reason,
    currency: lines[0]?.price.currency ?? 'usd',
    customer: customer.id,
    customer_email: customer.email,
    ending_balance: balance,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: {
      object: 'list',
      data: lines.map((line) => lineOf(line, subscription)),
      has_more: false,
      url: `/v1/invoices/${base.id}/lines`,
    },
    next_payment_attempt: null,
    number: null,
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_start: now,
    period_end: now,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    total,
  };
}

function lineOf(
  { amount, price, quantity, period, proration }: LineDraft,
  subscription: Subscription | null,
) {
  const line: InvoiceLine = {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: `${quantity} × ${price.id}`,
    livemode: false,
    metadata: {},
    parent: subscription && {
      invoice_item_details: null,
      subscription_item_details: {
        proration,
        subscription: subscription.id,
        subscription_item: subscription.items.data[0]?.id ?? '',
      },
      type: 'subscription_item_details',
    },
    period,
    pricing: { price_details: { price: price.id, product: price.product }, type: 'price_details' },
    quantity,
  };
  return line;
}

/** Finalizes an invoice and charges the customer's card. Returns false if it was declined: the invoice stays open. */
export function chargeNew(store: Store, draft: InvoiceDraft): { invoice: Invoice; paid: boolean } {
  const invoice = draftInvoice(store, draft);
  const customer = get(store.customers, 'customer', draft.customerId);
  customer.balance = invoice.ending_balance ?? 0;
  invoice.status = 'open';
  invoice.number = `TEST-${String(store.invoices.size + 1).padStart(4, '0')}`;
  invoice.status_transitions.finalized_at = store.seconds();
  invoice.hosted_invoice_url = `https://invoice.example.com/i/${invoice.id}`;
  invoice.invoice_pdf = `https://invoice.example.com/i/${invoice.id}/pdf`;
  store.invoices.set(invoice.id, invoice);
  if (draft.subscription) draft.subscription.latest_invoice = invoice.id;
  return { invoice, paid: charge(store, invoice) };
}

export function charge(store: Store, invoice: Invoice): boolean {
  const customer = get(store.customers, 'customer', invoice.customer);
  if (invoice.amount_due > 0) {
    invoice.attempted = true;
    invoice.attempt_count += 1;
    if (store.cards.get(customer.id) === 'declines') {
      customer.delinquent = true;
      return false;
    }
  }
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = store.seconds();
  customer.delinquent = false;
  return true;
}

export function listInvoices(store: Store, params: FormTree) {
  const customer = textOf(params, 'customer');
  const subscription = textOf(params, 'subscription');
  const matching = [...store.invoices.values()].filter(
    (each) =>
      (customer === undefined || each.customer === customer) &&
      (subscription === undefined || each.parent?.subscription_details.subscription === subscription),
  );
  return pageOf(matching, params, '/v1/invoices');
}

export const retrieveInvoice = (store: Store, _params: FormTree, id: string): Invoice =>
  get(store.invoices, 'invoice', id);
