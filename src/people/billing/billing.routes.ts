import { entitlementsOf } from '../../access/entitlements.ts';
import { PLAN_NAMES, PLANS, type PlanName } from '../../access/plans.ts';
import { isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import { idempotencyKeyOf } from '../../kit/http/idempotency-key.ts';
import { readRawBody } from '../../kit/http/raw-bodies.ts';
import { callerOf } from '../../kit/principal.ts';
import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { Invoice, PaymentProduct } from '../../platform/payments/payments.ts';
import type { InvoiceRow, PurchaseRow } from './billing.tables.ts';
import type { Changes } from './changes.service.ts';
import type { Checkouts, Ordering } from './checkouts.service.ts';
import type { BillingContext } from './context.ts';
import type { Overview } from './overview.service.ts';
import {
  goToPortal,
  listInvoices,
  listPurchases,
  openCheckout,
  openPortal,
  purchaseTokens,
} from './payments.contract.ts';
import { createPaymentStore } from './payments.store.ts';
import { asking, noKey } from './payments-errors.ts';
import { listPrices, listTokenBlocks } from './prices.contract.ts';
import type { Products } from './products.service.ts';
import { changeSubscription, getBillingStatus, getSubscription } from './subscription.contract.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';
import { receiveBillingEvent } from './webhook.contract.ts';
import type { Webhooks } from './webhook.service.ts';

export interface BillingParts {
  context: BillingContext;
  products: Products;
  checkouts: Checkouts;
  changes: Changes;
  overview: Overview;
  webhooks: Webhooks;
}

const time = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

export const billingRoutes = (parts: BillingParts): Route[] => [
  ...priceRoutes(parts),
  ...subscriptionRoutes(parts),
  ...checkoutRoutes(parts),
  ...portalRoutes(parts),
  ...historyRoutes(parts),
  route(receiveBillingEvent, async ({ stream, headers }) => {
    const signature = headers['billing-signature'];
    const body = await readRawBody(receiveBillingEvent, stream);
    return parts.webhooks.receive(body, typeof signature === 'string' ? signature : undefined);
  }),
];

function priceRoutes({ context, products }: BillingParts): Route[] {
  const configured = context.payments !== null;
  return [
    route(listPrices, async () => {
      const { source, products: found, asOf } = await products.shown();
      const plans = PLAN_NAMES.map((plan) => planOffer(plan, found));
      const currency = plans.flatMap(({ prices }) => prices)[0]?.currency ?? null;
      return { configured, source, as_of: time(asOf), currency, plans };
    }),
    route(listTokenBlocks, async () => {
      const { source, products: found, asOf } = await products.shown();
      return { configured, source, as_of: time(asOf), blocks: blocksIn(found) };
    }),
  ];
}

const INTERVALS = ['month', 'year'] as const;

function planOffer(planName: PlanName, products: readonly PaymentProduct[]) {
  const { max_users, credits_monthly, credits_pooled, entities_limit, activation_limit, storage_bytes } =
    PLANS[planName];
  const product = products.find(({ plan }) => plan === planName);
  return {
    plan: planName,
    name: product?.name ?? `${planName[0]?.toUpperCase()}${planName.slice(1)}`,
    description: product?.description ?? '',
    per_seat: product?.perSeat ?? false,
    prices: INTERVALS.flatMap((interval) =>
      (product?.prices ?? [])
        .filter((price) => price.interval === interval)
        .map(({ priceId, amount, currency }) => ({ price_id: priceId, amount, currency, interval })),
    ),
    max_users,
    credits_monthly,
    credits_pooled,
    entities_limit,
    activation_limit,
    storage_bytes,
    features: entitlementsOf(planName).features,
  };
}

/** The smallest first. */
const blocksIn = (products: readonly PaymentProduct[]) =>
  products.flatMap(blocksOf).toSorted((one, other) => one.credits - other.credits);

function blocksOf({ code, name, description, credits, prices }: PaymentProduct) {
  const price = prices.find(({ interval }) => interval === null);
  if (credits === null || price === undefined) return [];
  const { priceId, amount, currency } = price;
  return [{ block: code ?? priceId, price_id: priceId, amount, currency, name, description, credits }];
}

function subscriptionRoutes({ overview, changes }: BillingParts): Route[] {
  return [
    route(getSubscription, ({ tenantId }) => overview.subscription(tenantId)),
    route(getBillingStatus, ({ tenantId }) => overview.status(tenantId)),
    route(changeSubscription, async (request) => {
      const { tenantId, body } = request;
      const { plan, interval, seats, cancel_at_period_end: cancelAtPeriodEnd } = body;
      await changes.change(tenantId, { plan, interval, seats, cancelAtPeriodEnd }, idempotencyKeyOf(request));
      const shown = await overview.subscription(tenantId);
      return { ...shown, over_limits: await overview.over(tenantId) };
    }),
  ];
}

function checkoutRoutes({ checkouts }: BillingParts): Route[] {
  const orderingOf = (
    request: Pick<RouteRequest, 'principal' | 'headers'>,
    { success_url, cancel_url }: { success_url?: string; cancel_url?: string },
  ): Ordering => ({
    caller: callerOf(request),
    requestKey: idempotencyKeyOf(request),
    successUrl: success_url,
    cancelUrl: cancel_url,
  });
  return [
    route(openCheckout, (request) => {
      const { plan, interval = 'month', seats, trial = false } = request.body;
      return checkouts.forPlan(orderingOf(request, request.body), { plan, interval, seats, trial });
    }),
    route(purchaseTokens, (request) => {
      const { block, quantity = 1 } = request.body;
      return checkouts.forCredits(orderingOf(request, request.body), { block, quantity });
    }),
  ];
}

function portalRoutes({ context, checkouts }: BillingParts): Route[] {
  const { payments, database, log } = context;
  const subscriptions = createSubscriptionStore(database.system);

  const portal = (tenantId: string, returnUrl: string | undefined): Promise<string> =>
    asking(log, async () => {
      if (payments === null) throw noKey();
      const address = checkouts.returnAddress('return_url', returnUrl);
      const customerId = await subscriptions.customerOf(tenantId);
      if (customerId === null)
        throw conflict('Nothing was bought yet: begin by POST /api/billing/checkout', {
          code: 'no_customer',
        });
      return payments.portalAddress(customerId, address);
    });

  return [
    route(openPortal, async ({ tenantId, body }) => ({ url: await portal(tenantId, body?.return_url) })),
    route(
      goToPortal,
      async ({ tenantId }) =>
        new Reply('', {
          headers: { location: await portal(tenantId, undefined), 'cache-control': 'no-store' },
        }),
    ),
  ];
}

function historyRoutes({ context }: BillingParts): Route[] {
  const { payments, database, log } = context;
  const subscriptions = createSubscriptionStore(database.system);
  const store = createPaymentStore(database.system);

  async function invoicesOf(tenantId: string, page: { limit: number; after?: string }) {
    const customerId = await subscriptions.customerOf(tenantId);
    if (payments === null) {
      const rows = await store.invoices(tenantId, { ...page, limit: page.limit + 1 });
      return { invoices: rows.slice(0, page.limit).map(shownRow), has_more: rows.length > page.limit };
    }
    if (customerId === null) return { invoices: [], has_more: false };
    const { items, hasMore } = await payments.invoices(customerId, page);
    return { invoices: items.map(shownInvoice), has_more: hasMore };
  }

  return [
    route(listInvoices, async ({ tenantId, query: { limit = 20, after } }) => ({
      configured: payments !== null,
      ...(await asking(log, () => invoicesOf(tenantId, { limit, ...(after !== undefined && { after }) }))),
    })),
    route(listPurchases, async ({ tenantId, query: { offset = 0, limit = 50 } }) => {
      const { total, rows } = await store.purchases(tenantId, { offset, limit });
      return { total, offset, limit, purchases: rows.map(shownPurchase) };
    }),
  ];
}

const shownPurchase = ({ tenant_id: _, ...row }: PurchaseRow) => ({
  ...row,
  created_at: isoTime(row.created_at),
  booked_at: time(row.booked_at),
});

const shownRow = ({ tenant_id: _, subscription_id: _of, ...row }: InvoiceRow) => ({
  ...row,
  period_start: time(row.period_start),
  period_end: time(row.period_end),
  created_at: isoTime(row.created_at),
  paid_at: time(row.paid_at),
});

const shownInvoice = (invoice: Invoice) => ({
  invoice_id: invoice.invoiceId,
  number: invoice.number,
  status: invoice.status,
  amount_due: invoice.amountDue,
  amount_paid: invoice.amountPaid,
  currency: invoice.currency,
  period_start: time(invoice.periodStart),
  period_end: time(invoice.periodEnd),
  created_at: isoTime(invoice.createdAt),
  paid_at: time(invoice.paidAt),
  page_url: invoice.pageUrl,
  pdf_url: invoice.pdfUrl,
});
