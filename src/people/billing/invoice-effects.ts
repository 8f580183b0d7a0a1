import type { Executor } from '../../platform/database/dialect.ts';
import type { Invoice, PaymentEvent } from '../../platform/payments/payments.ts';
import type { InvoiceRow, SubscriptionRow } from './billing.tables.ts';
import { type Effect, type EffectTools, noEffect, type Outcome, ownersOf, paidForNobody } from './effects.ts';
import { isInvoicePaid, putInvoice } from './payments.store.ts';
import { type Hear, outcomeOf } from './subscription-effects.ts';
import type { Owners, Told } from './subscriptions.service.ts';
import { changeSubscriptionRow, createSubscriptionStore, subscriptionById } from './subscriptions.store.ts';

const rowOf = (tenantId: string, invoice: Invoice): InvoiceRow => ({
  invoice_id: invoice.invoiceId,
  tenant_id: tenantId,
  subscription_id: invoice.subscriptionId,
  number: invoice.number,
  status: invoice.status,
  amount_due: invoice.amountDue,
  amount_paid: invoice.amountPaid,
  currency: invoice.currency,
  period_start: invoice.periodStart,
  period_end: invoice.periodEnd,
  created_at: invoice.createdAt,
  paid_at: invoice.paidAt,
  page_url: invoice.pageUrl,
  pdf_url: invoice.pdfUrl,
});

interface InvoiceNews {
  event: PaymentEvent;
  invoice: Invoice;
  tenantId: string;
  owners: Owners;
  /** The provider's word on its subscription; null without a key or a subscription. */
  told: Told | null;
}

/** Payments that succeeded, failed or are to come. */
export function createInvoiceEffects({ context, subscriptions }: EffectTools, hear: Hear) {
  const { payments, clock } = context;
  const store = createSubscriptionStore(context.database.system);

  /** Without a key, only a row tells what the invoice is for. */
  async function applyToRow(db: Executor, news: InvoiceNews): Promise<Outcome> {
    const { event, invoice, owners } = news;
    const row = invoice.subscriptionId === null ? null : await subscriptionById(db, invoice.subscriptionId);
    if (row === null) return { outcome: 'applied' };
    const more = { owners, atMs: event.createdAt };
    if (event.type === 'invoice.payment_failed') {
      await subscriptions.signal(db, row, 'payment_failed', more);
      return { outcome: 'applied' };
    }
    // A payment that came before the failure pays for something else.
    const clears = row.unpaid_since === null || event.createdAt >= row.unpaid_since;
    if (clears) await subscriptions.signal(db, row, 'paid', { ...more, change: periodOf(invoice, row) });
    return clears ? { outcome: 'applied' } : { outcome: 'stale', note: 'a later payment failed' };
  }

  async function applyPayment(db: Executor, news: InvoiceNews): Promise<Outcome> {
    const { event, invoice, tenantId, told } = news;
    const hasFailed = event.type === 'invoice.payment_failed';
    const isSettled = invoice.status === 'paid' || invoice.status === 'void';
    const isLate = hasFailed && (isSettled || (await isInvoicePaid(db, invoice.invoiceId)));
    await putInvoice(db, rowOf(tenantId, invoice));
    if (isLate && told === null) return { outcome: 'stale', note: 'it was paid since' };
    if (told === null) return applyToRow(db, news);
    const recorded = await subscriptions.record(db, {
      ...told,
      ...(hasFailed && !isLate && { signals: ['payment_failed'] }),
    });
    return isLate ? { outcome: 'stale', note: 'it was paid since' } : outcomeOf(recorded, tenantId);
  }

  async function applyUpcoming(db: Executor, { invoice }: InvoiceNews): Promise<Outcome> {
    const row = invoice.subscriptionId === null ? null : await subscriptionById(db, invoice.subscriptionId);
    if (row === null) return { outcome: 'ignored', note: 'its subscription is unknown' };
    await changeSubscriptionRow(db, row.subscription_id, {
      upcoming_amount: invoice.amountDue,
      upcoming_currency: invoice.currency,
      upcoming_told_at: clock.now(),
    });
    return { outcome: 'applied' };
  }

  return async function prepare(event: PaymentEvent, sent: Invoice): Promise<Effect> {
    const isUpcoming = event.type === 'invoice.upcoming';
    const invoice =
      isUpcoming || payments === null ? sent : ((await payments.invoice(sent.invoiceId)) ?? sent);
    const { subscriptionId, customerId } = invoice;
    const asksAnew = payments !== null && subscriptionId !== null && !isUpcoming;
    const understood = asksAnew
      ? await hear({ subscription: null, subscriptionId, atMs: event.createdAt })
      : null;
    if (understood !== null && 'refusal' in understood) {
      const { refusal, goneTenantId } = understood;
      return goneTenantId === undefined ? refusal : forNobody(event, invoice, goneTenantId);
    }
    const told = understood?.told ?? null;
    const stored = subscriptionId === null ? null : await store.byId(subscriptionId);
    const tenantId =
      told?.tenantId ?? stored?.tenant_id ?? (await store.tenantOfCustomer(customerId)) ?? null;
    const owners = tenantId === null ? null : await ownersOf(context, tenantId);
    if (tenantId === null || owners === null) return forNobody(event, invoice, tenantId);
    const news = { event, invoice, tenantId, owners, told };
    return { tenantId, apply: (db) => (isUpcoming ? applyUpcoming(db, news) : applyPayment(db, news)) };
  };
}

/** A payment of ours is named by its tenant; others may sell things by the same account. */
function forNobody({ type }: PaymentEvent, invoice: Invoice, tenantId: string | null): Effect {
  const { invoiceId: id, subscriptionId, amountPaid: amount, currency, customerId } = invoice;
  if (type !== 'invoice.paid' || amount <= 0 || tenantId === null)
    return noEffect('unknown_customer', `no tenant for customer ${customerId}`);
  return paidForNobody({ id, subscriptionId, amount, currency, tenantId });
}

/** A payment for a later period begins that period. */
function periodOf(
  { periodStart, periodEnd }: Invoice,
  { period_end }: SubscriptionRow,
): Partial<SubscriptionRow> {
  if (periodStart === null || periodEnd === null || periodEnd <= period_end) return {};
  return { period_start: periodStart, period_end: periodEnd, kept: null };
}
