import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { type NewCheckout, type Payments, PaymentsError, type ProductPlan } from './payments.ts';

export interface TestPayments {
  payments: Payments;
  /** With the same account, but a key that it does not know. */
  withWrongKey: Payments;
  /** Pays on the page of a checkout with a card that is charged. Resolves to the id of the subscription that this begins. */
  subscribe(customerId: string, priceId: string, quantity: number): Promise<string>;
  /** From now on every charge of the customer is declined. */
  declineLater(customerId: string): Promise<void>;
}

export const failsAs = (code: PaymentsError['code']) => (error: unknown) => {
  assert.ok(error instanceof PaymentsError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

export const somebody = () => ({
  tenantId: randomUUID(),
  name: 'Mara’s Atelier',
  email: 'mara@example.com',
});

export const somePlan = (changed: Partial<ProductPlan> = {}): ProductPlan => ({
  code: `pro-${randomUUID()}`,
  name: 'Pro',
  description: 'For people who write much',
  plan: 'pro',
  credits: null,
  perSeat: true,
  prices: [
    { amount: 1_000, currency: 'usd', interval: 'month' },
    { amount: 10_000, currency: 'usd', interval: 'year' },
  ],
  ...changed,
});

/** Returns the product with ids. */
export async function put(payments: Payments, plan: ProductPlan) {
  await payments.putProduct(plan);
  const product = (await payments.products()).find(({ code }) => code === plan.code);
  assert.ok(product, 'the product is listed');
  const priceOf = (interval: 'month' | 'year' | null) => {
    const price = product.prices.find((each) => each.interval === interval);
    assert.ok(price, `a price for ${interval}`);
    return price.priceId;
  };
  return { product, priceOf };
}

export const checkoutOf = (customerId: string, priceId: string): NewCheckout => ({
  customerId,
  priceId,
  quantity: 2,
  mode: 'subscription',
  userId: 'user-1',
  metadata: { canonry_tenant: 'tenant-1' },
  successUrl: 'https://studio.example.com/paid?session={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://studio.example.com/plans',
});

const withoutIds = ({ prices }: { prices: readonly { amount: number }[] }) =>
  prices.map(({ amount }) => amount).sort((a, b) => a - b);

type Make = (t: TestContext) => Promise<TestPayments>;

/** Over real sockets; also against the provider itself, in test mode. */
export function paymentsConformance(name: string, make: Make): void {
  describe(`payments: ${name}`, () => {
    catalog(make);
    checkouts(make);
    subscriptions(make);
    administration(make);
  });
}

function catalog(make: Make): void {
  it('puts products on sale and changes them', async (t) => {
    const { payments } = await make(t);
    const plan = somePlan();
    const { product } = await put(payments, plan);
    const { productId, prices, ...rest } = product;
    const { prices: wanted, ...expected } = plan;
    assert.deepEqual(rest, expected);
    assert.deepEqual(
      prices.map(({ priceId: _, ...price }) => price).sort((a, b) => a.amount - b.amount),
      wanted,
    );
    const again = await put(payments, plan);
    assert.deepEqual(again.product, product, 'nothing is made twice');

    const dearer = {
      ...plan,
      name: 'Pro 2',
      perSeat: false,
      plan: null,
      credits: 500,
      prices: [{ amount: 2_500, currency: 'eur', interval: null }],
    };
    const changed = await put(payments, dearer);
    assert.equal(changed.product.productId, productId);
    assert.deepEqual(
      { ...changed.product, productId: '', prices: [] },
      { ...dearer, productId: '', prices: [] },
    );
    assert.deepEqual(withoutIds(changed.product), [2_500]);

    const back = await put(payments, plan);
    assert.deepEqual(withoutIds(back.product), [1_000, 10_000]);
    assert.equal(back.priceOf('month'), again.priceOf('month'), 'a price of before is used again');
  });
}

function checkouts(make: Make): void {
  it('has one customer for a tenant, also when asked twice at once', async (t) => {
    const { payments } = await make(t);
    const tenant = somebody();
    const [one, two] = await Promise.all([payments.customer(tenant), payments.customer(tenant)]);
    assert.equal(one, two);
    assert.equal(await payments.customer({ ...tenant, name: 'Another name' }), one);
    assert.notEqual(await payments.customer(somebody()), one);
  });

  it('opens a page of payment once for a key, and closes it', async (t) => {
    const { payments } = await make(t);
    const { priceOf } = await put(payments, somePlan());
    const customerId = await payments.customer(somebody());
    const wanted = checkoutOf(customerId, priceOf('month'));
    const key = randomUUID();
    const opened = await payments.openCheckout(wanted, key);
    assert.match(opened.url ?? '', /^https:/);
    assert.equal(opened.status, 'open');
    assert.equal(opened.paymentStatus, 'unpaid');
    assert.equal((await payments.openCheckout(wanted, key)).checkoutId, opened.checkoutId);
    await assert.rejects(payments.openCheckout({ ...wanted, quantity: 3 }, key), failsAs('invalid'));
    assert.notEqual((await payments.openCheckout(wanted, randomUUID())).checkoutId, opened.checkoutId);

    const found = await payments.checkout(opened.checkoutId);
    assert.deepEqual(found?.lines, [{ priceId: priceOf('month'), quantity: 2 }]);
    assert.equal(found?.amount, 2_000);
    assert.equal(found?.currency, 'usd');
    assert.equal(found?.customerId, customerId);
    assert.equal(found?.userId, 'user-1');
    assert.deepEqual(found?.metadata, wanted.metadata);

    assert.equal(await payments.closeCheckout(opened.checkoutId), true);
    assert.equal(await payments.closeCheckout(opened.checkoutId), true, 'again');
    const closed = await payments.checkout(opened.checkoutId);
    assert.deepEqual([closed?.status, closed?.url], ['expired', null]);
  });

  it('opens pages for single payments and trials', async (t) => {
    const { payments } = await make(t);
    const plan = somePlan({
      prices: [
        { amount: 500, currency: 'usd', interval: null },
        { amount: 900, currency: 'usd', interval: 'month' },
      ],
    });
    const { priceOf } = await put(payments, plan);
    const customerId = await payments.customer(somebody());
    const once = await payments.openCheckout(
      { ...checkoutOf(customerId, priceOf(null)), mode: 'payment' },
      randomUUID(),
    );
    assert.deepEqual([once.mode, once.amount], ['payment', 1_000]);
    const trial = await payments.openCheckout(
      { ...checkoutOf(customerId, priceOf('month')), trialDays: 14 },
      randomUUID(),
    );
    assert.deepEqual([trial.mode, trial.amount], ['subscription', 0]);
  });
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function subscriptions(make: Make): void {
  it('reads a subscription, its invoice, and what the customer has', async (t) => {
    const { payments, subscribe } = await make(t);
    const { product, priceOf } = await put(payments, somePlan());
    const customerId = await payments.customer(somebody());
    assert.deepEqual(await payments.subscriptionsOf(customerId), []);
    assert.deepEqual(await payments.invoices(customerId, { limit: 5 }), { items: [], hasMore: false });
    const id = await subscribe(customerId, priceOf('month'), 2);
    const found = await payments.subscription(id);
    assert.ok(found);
    assert.equal(found.status, 'active');
    assert.equal(found.customerId, customerId);
    assert.deepEqual(
      [found.priceId, found.productId, found.interval, found.quantity],
      [priceOf('month'), product.productId, 'month', 2],
    );
    assert.ok(Math.abs(found.periodStart - found.createdAt) < MINUTE_MS);
    const days = (found.periodEnd - found.periodStart) / DAY_MS;
    assert.ok(days >= 28 && days <= 31, `${days} days`);
    assert.deepEqual([found.trialEnd, found.endedAt, found.cancelAtPeriodEnd], [null, null, false]);
    assert.deepEqual(await payments.subscriptionsOf(customerId), [found]);

    const { items } = await payments.invoices(customerId, { limit: 5 });
    const [invoice] = items;
    assert.ok(invoice && items.length === 1);
    assert.deepEqual(
      [invoice.status, invoice.amountDue, invoice.amountPaid, invoice.currency],
      ['paid', 2_000, 2_000, 'usd'],
    );
    assert.deepEqual([invoice.subscriptionId, invoice.reason], [id, 'subscription_create']);
    assert.deepEqual([invoice.periodStart, invoice.periodEnd], [found.periodStart, found.periodEnd]);
    assert.ok(invoice.number && invoice.pageUrl && invoice.pdfUrl && invoice.paidAt);
    assert.deepEqual(await payments.invoice(invoice.invoiceId), invoice);
  });

  it('changes a subscription once for a key, and charges the difference at once', async (t) => {
    const { payments, subscribe } = await make(t);
    const { priceOf } = await put(payments, somePlan());
    const customerId = await payments.customer(somebody());
    const id = await subscribe(customerId, priceOf('month'), 1);
    const key = randomUUID();
    const more = await payments.changeSubscription(id, { quantity: 3 }, key);
    assert.equal(more.quantity, 3);
    await payments.changeSubscription(id, { quantity: 3 }, key);
    const { items } = await payments.invoices(customerId, { limit: 5 });
    assert.equal(items.length, 2);
    assert.equal(items[0]?.reason, 'subscription_update');
    const paid = items[0]?.amountPaid ?? 0;
    assert.ok(paid > 1_990 && paid <= 2_000, `the rest of the month for two more: ${paid}`);
    assert.equal(items[0]?.periodEnd, more.periodEnd);

    const yearly = await payments.changeSubscription(id, { priceId: priceOf('year') }, randomUUID());
    assert.deepEqual([yearly.interval, yearly.quantity], ['year', 3]);
    assert.ok(yearly.periodEnd - yearly.periodStart > 364 * DAY_MS);
    const monthly = await payments.changeSubscription(id, { priceId: priceOf('month') }, randomUUID());
    const [newest] = (await payments.invoices(customerId, { limit: 1 })).items;
    assert.deepEqual(
      [newest?.periodStart, newest?.periodEnd],
      [monthly.periodStart, monthly.periodEnd],
      'of what it charges, not of what it credits',
    );
    const ending = await payments.changeSubscription(id, { cancelAtPeriodEnd: true }, randomUUID());
    assert.deepEqual([ending.cancelAtPeriodEnd, ending.status, ending.quantity], [true, 'active', 3]);
    const first = await payments.invoices(customerId, { limit: 1 });
    assert.equal(first.hasMore, true);
    const after = first.items[0]?.invoiceId ?? '';
    const rest = await payments.invoices(customerId, { limit: 5, after });
    assert.deepEqual([rest.items.length, rest.hasMore], [3, false]);
  });

  it('leaves the period as it is paid if less, or what was paid before, is ordered for the next one', async (t) => {
    const { payments, subscribe, declineLater } = await make(t);
    const { priceOf } = await put(payments, somePlan());
    const customerId = await payments.customer(somebody());
    const id = await subscribe(customerId, priceOf('month'), 3);
    await declineLater(customerId);
    const before = await payments.subscription(id);
    const fewer = await payments.changeSubscription(id, { quantity: 1, paid: 'next_period' }, randomUUID());
    assert.equal(fewer.quantity, 1);
    assert.deepEqual([fewer.periodStart, fewer.periodEnd], [before?.periodStart, before?.periodEnd]);
    const back = await payments.changeSubscription(id, { quantity: 3, paid: 'next_period' }, randomUUID());
    assert.equal(back.quantity, 3);
    assert.equal((await payments.invoices(customerId, { limit: 5 })).items.length, 1);
  });

  it('changes nothing if the card is declined', async (t) => {
    const { payments, subscribe, declineLater } = await make(t);
    const { priceOf } = await put(payments, somePlan());
    const customerId = await payments.customer(somebody());
    const id = await subscribe(customerId, priceOf('month'), 1);
    await declineLater(customerId);
    const before = await payments.subscription(id);
    await assert.rejects(payments.changeSubscription(id, { quantity: 5 }, randomUUID()), failsAs('refused'));
    assert.deepEqual(await payments.subscription(id), before);
  });

  it('ends a subscription, and one that has ended again', async (t) => {
    const { payments, subscribe } = await make(t);
    const { priceOf } = await put(payments, somePlan());
    const customerId = await payments.customer(somebody());
    const id = await subscribe(customerId, priceOf('month'), 1);
    const ended = await payments.endSubscription(id);
    assert.equal(ended.status, 'canceled');
    assert.ok(ended.endedAt);
    assert.deepEqual(await payments.endSubscription(id), ended);
    assert.deepEqual(await payments.subscriptionsOf(customerId), [ended]);
    await assert.rejects(payments.changeSubscription(id, { quantity: 2 }, randomUUID()), failsAs('invalid'));
  });
}

function administration(make: Make): void {
  it('adds and changes webhooks', async (t) => {
    const { payments } = await make(t);
    const url = `https://canonry.example.com/api/billing/webhook?${randomUUID()}`;
    const webhook = { url, events: ['invoice.paid'], isEnabled: false };
    const { webhookId, secret } = await payments.addWebhook(webhook);
    assert.ok(secret.length > 10);
    const found = async () => (await payments.webhooks()).find((each) => each.webhookId === webhookId);
    assert.deepEqual(await found(), { webhookId, ...webhook });
    const changed = { webhookId, url, events: ['invoice.paid', 'invoice.upcoming'], isEnabled: true };
    await payments.changeWebhook(changed);
    const now = await found();
    assert.deepEqual({ ...now, events: now?.events.toSorted() }, changed);
    await payments.changeWebhook({ ...changed, isEnabled: false });
  });

  it('knows nothing of ids that it never gave', async (t) => {
    const { payments } = await make(t);
    assert.equal(await payments.checkout('cs_test_unknown'), null);
    assert.equal(await payments.subscription('sub_unknown'), null);
    assert.equal(await payments.invoice('in_unknown'), null);
    const change = payments.changeSubscription('sub_unknown', { quantity: 2 }, randomUUID());
    await assert.rejects(change, failsAs('invalid'));
    await assert.rejects(payments.endSubscription('sub_unknown'), failsAs('invalid'));
    await assert.rejects(payments.closeCheckout('cs_test_unknown'), failsAs('invalid'));
  });

  it('is refused with a wrong key', async (t) => {
    const { payments, withWrongKey } = await make(t);
    await payments.probe();
    await assert.rejects(withWrongKey.probe(), failsAs('unauthorized'));
    await assert.rejects(withWrongKey.subscription('sub_unknown'), failsAs('unauthorized'));
  });
}
