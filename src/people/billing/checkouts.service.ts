import type { PlanName } from '../../access/plans.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { conflict, invalidField, notFound } from '../../kit/errors.ts';
import { keyReused } from '../../kit/http/idempotency-key.ts';
import type { Principal } from '../../kit/principal.ts';
import type {
  BillingInterval,
  NewCheckout,
  PaymentPrice,
  PaymentProduct,
  Payments,
} from '../../platform/payments/payments.ts';
import type { CheckoutRow } from './billing.tables.ts';
import { TRIAL_DAYS } from './catalog.ts';
import { createCheckoutStore } from './checkouts.store.ts';
import type { BillingContext } from './context.ts';
import { lockOfTenant } from './locks.ts';
import { asking, noKey } from './payments-errors.ts';
import type { Products } from './products.service.ts';
import { createReturnAddresses } from './return-address.ts';
import { currentOf } from './subscriptions.service.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';

export interface PlanOrder {
  plan: PlanName;
  interval: BillingInterval;
  seats?: number | undefined;
  trial: boolean;
}

export interface BlockOrder {
  block: string;
  quantity: number;
}

export interface Ordering {
  caller: Principal;
  /** Of the header `Idempotency-Key`. */
  requestKey: string | null;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

export interface OpenedCheckout {
  checkout_id: string;
  url: string;
}

interface Wanted {
  order: Omit<NewCheckout, 'customerId' | 'userId' | 'successUrl' | 'cancelUrl' | 'metadata'>;
  metadata: Record<string, string>;
  price: PaymentPrice;
  credits: number;
}

/** The pages at which tenants pay. For a plan a tenant has one open page at most, so that nobody pays twice. */
export function createCheckouts(context: BillingContext, products: Products) {
  const { database, payments, config, publicUrl, clock, log } = context;
  const store = createCheckoutStore(database.system);
  const subscriptions = createSubscriptionStore(database.system);
  const returnAddress = createReturnAddresses(publicUrl, config.corsOrigins);

  /** The tenant's customer at the provider, made by its first purchase. */
  async function customerFor(api: Payments, { tenantId, email }: Principal): Promise<string> {
    const known = await subscriptions.customerOf(tenantId);
    if (known !== null) return known;
    const tenant = await context.tenantOf(tenantId);
    if (tenant === null) throw notFound(`There is no tenant ${tenantId}`, { code: 'tenant_not_found' });
    const customerId = await api.customer({ tenantId, name: tenant.name, email });
    await subscriptions.putCustomer(tenantId, customerId);
    return customerId;
  }

  /** Also asks the provider, whose events may be on their way. */
  async function refuseSecond(api: Payments, tenantId: string, customerId: string): Promise<void> {
    const isKnown = currentOf(await subscriptions.of(tenantId)) !== null;
    const theirs = isKnown ? [] : await api.subscriptionsOf(customerId);
    if (isKnown || theirs.some(({ status }) => LIVE.has(status)))
      throw conflict(
        'There is a subscription already: change it by PUT /api/billing/subscription, or on the page of GET /api/billing/portal',
        { code: 'already_subscribed' },
      );
  }

  async function closeOthers(api: Payments, rows: readonly CheckoutRow[]): Promise<void> {
    for (const { checkout_id: id } of rows) {
      const isClosed = await api.closeCheckout(id);
      if (!isClosed && (await api.checkout(id))?.status === 'complete')
        throw conflict('An earlier checkout was just paid: its subscription will be here in a moment', {
          code: 'checkout_completed',
        });
      await store.close(id);
    }
  }

  /** The page of an earlier, equal request if it is still open. Null: open a new one. */
  async function repeated(
    api: Payments,
    rows: readonly CheckoutRow[],
    request: string,
    requestKey: string | null,
  ): Promise<OpenedCheckout | null> {
    const byKey = requestKey === null ? undefined : rows.find((row) => row.request_key === requestKey);
    if (byKey !== undefined && byKey.request !== request) throw keyReused();
    const equal =
      byKey ?? (requestKey === null ? rows.findLast((row) => row.request === request) : undefined);
    if (equal === undefined) return null;
    const page = equal.status === 'open' ? await api.checkout(equal.checkout_id) : null;
    if (page?.status === 'open' && page.url !== null)
      return { checkout_id: equal.checkout_id, url: page.url };
    if (byKey === undefined) return null;
    throw conflict('The page that this Idempotency-Key opened is over: use a new one', {
      code: 'checkout_over',
    });
  }

  async function open(ordering: Ordering, wanted: Wanted): Promise<OpenedCheckout> {
    const api = payments;
    if (api === null) throw noKey();
    const { caller, requestKey } = ordering;
    const { tenantId, userId } = caller;
    const successUrl = returnAddress('success_url', ordering.successUrl);
    const cancelUrl = returnAddress('cancel_url', ordering.cancelUrl);
    const { order, price, credits } = wanted;
    const request = sha256Hex(JSON.stringify([order, successUrl, cancelUrl, userId]));
    return database.system.exclusive(lockOfTenant(tenantId), async () => {
      const isForPlan = order.mode === 'subscription';
      const customerId = await customerFor(api, caller);
      if (isForPlan) await refuseSecond(api, tenantId, customerId);
      const rows = await store.of(tenantId);
      const earlier = await repeated(api, rows, request, requestKey);
      if (earlier !== null) return earlier;
      if (isForPlan)
        await closeOthers(
          api,
          rows.filter(({ mode, status }) => mode === 'subscription' && status === 'open'),
        );
      const metadata = { ...wanted.metadata, tenant_id: tenantId, user_id: userId };
      // A call that was repeated after a crash finds as many rows as the first one, and so gets the same page.
      const key = sha256Hex(JSON.stringify([tenantId, request, requestKey ?? rows.length]));
      const page = await api.openCheckout(
        { ...order, customerId, userId, metadata, successUrl, cancelUrl },
        key,
      );
      if (page.url === null) throw conflict('The page is over: try again', { code: 'checkout_over' });
      await store.put({
        checkout_id: page.checkoutId,
        tenant_id: tenantId,
        mode: order.mode,
        status: 'open',
        request_key: requestKey,
        request,
        url: page.url,
        price_id: price.priceId,
        amount: price.amount,
        currency: price.currency,
        credits,
        created_at: clock.now(),
        looked_at: clock.now(),
      });
      return { checkout_id: page.checkoutId, url: page.url };
    });
  }

  async function refuseSecondTrial(tenantId: string): Promise<void> {
    if ((await subscriptions.of(tenantId)).every(({ trial_end }) => trial_end === null)) return;
    throw conflict('This tenant had its trial: subscribe without trial', { code: 'trial_used' });
  }

  return {
    forPlan: (ordering: Ordering, order: PlanOrder): Promise<OpenedCheckout> =>
      asking(log, async () => {
        if (payments === null) throw noKey();
        const { product, price } = planPrice(await products.fresh(), order.plan, order.interval);
        if (order.trial) await refuseSecondTrial(ordering.caller.tenantId);
        const quantity = seatsFor(product, order.seats) ?? 1;
        return open(ordering, {
          order: {
            priceId: price.priceId,
            quantity,
            mode: 'subscription',
            ...(order.trial && { trialDays: TRIAL_DAYS }),
          },
          metadata: { plan: order.plan, interval: order.interval, seats: String(quantity) },
          price,
          credits: 0,
        });
      }),

    forCredits: (ordering: Ordering, { block, quantity }: BlockOrder): Promise<OpenedCheckout> =>
      asking(log, async () => {
        if (payments === null) throw noKey();
        const { price, credits } = blockOf(await products.fresh(), block);
        return open(ordering, {
          order: { priceId: price.priceId, quantity, mode: 'payment' },
          metadata: { credits: String(credits * quantity) },
          price,
          credits,
        });
      }),

    returnAddress,
  };
}

export type Checkouts = ReturnType<typeof createCheckouts>;

const LIVE = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused']);

/** 409 if the plan, or the interval, is not for sale. */
export function planPrice(
  products: readonly PaymentProduct[],
  plan: PlanName,
  interval: BillingInterval,
): { product: PaymentProduct; price: PaymentPrice } {
  for (const product of products) {
    const price = product.plan === plan && product.prices.find((each) => each.interval === interval);
    if (price) return { product, price };
  }
  throw conflict(`The ${plan} plan is not for sale by the ${interval}: see GET /api/billing/prices`, {
    code: 'not_for_sale',
  });
}

/** Undefined stays undefined. 422 for several seats of a plan for one person. */
export function seatsFor({ perSeat }: PaymentProduct, seats: number | undefined): number | undefined {
  if (perSeat || seats === undefined || seats === 1) return seats;
  throw invalidField('seats', 'must be left out: this plan is for one person');
}

function blockOf(
  products: readonly PaymentProduct[],
  block: string,
): { price: PaymentPrice; credits: number } {
  for (const { code, credits, prices } of products) {
    if (credits === null) continue;
    const price = prices.find((each) => each.interval === null && (code === block || each.priceId === block));
    if (price) return { price, credits };
  }
  throw notFound(`There is no block of credits ${block}: see GET /api/billing/token-blocks`, {
    code: 'block_not_found',
  });
}
