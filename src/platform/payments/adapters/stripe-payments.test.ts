import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Fault } from '../../../../test/support/payments/faults.ts';
import { startPaymentServer } from '../../../../test/support/payments/payment-server.ts';
import { accountHere } from '../../../../test/support/payments/real-account.ts';
import { until } from '../../../../test/support/until.ts';
import {
  checkoutOf,
  failsAs,
  paymentsConformance,
  put,
  somebody,
  somePlan,
  type TestPayments,
} from '../payments.conformance.ts';
import type { PaymentsError } from '../payments.ts';
import { createStripePayments } from './stripe-payments.ts';

const LIMIT_MS = 400;

async function make(t: TestContext) {
  const server = await startPaymentServer();
  const open = (apiKey: string, timeoutMs?: number) => {
    const payments = createStripePayments({
      apiKey,
      apiBase: server.url,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    t.after(() => payments.close());
    return payments;
  };
  const payments = open(server.apiKey);
  t.after(() => server.close());
  return {
    server,
    payments,
    hasty: open(server.apiKey, LIMIT_MS),
    withWrongKey: open('sk_test_wrong'),
    subscribe: async (customerId: string, priceId: string, quantity: number) => {
      const wanted = { ...checkoutOf(customerId, priceId), quantity };
      const { checkoutId } = await payments.openCheckout(wanted, randomUUID());
      return server.completeCheckout(checkoutId).subscription ?? '';
    },
    declineLater: async (customerId: string) => server.setCard(customerId, 'declines'),
  } satisfies TestPayments & Record<string, unknown>;
}

paymentsConformance('the library, against a server of ours', make);

const realKey = process.env.TEST_STRIPE_KEY;
if (realKey) {
  const account = accountHere(realKey);
  paymentsConformance('the library, against the provider in test mode', async (t) => {
    const payments = createStripePayments({ apiKey: realKey, apiBase: null });
    const withWrongKey = createStripePayments({ apiKey: 'sk_test_wrong', apiBase: null });
    t.after(() => {
      payments.close();
      withWrongKey.close();
    });
    return { payments, withWrongKey, ...account };
  });
}

async function withCustomer(t: TestContext) {
  const setup = await make(t);
  const { priceOf } = await put(setup.payments, somePlan());
  return { ...setup, priceOf, customerId: await setup.payments.customer(somebody()) };
}

test('sends the pinned version, a key with every change, and nothing about this machine', async (t) => {
  const { server, payments, priceOf, customerId } = await withCustomer(t);
  await payments.openCheckout(checkoutOf(customerId, priceOf('month')), 'key-1');
  for (const { method, path, headers } of server.requests) {
    assert.equal(headers['stripe-version'], '2026-10-28.endive', path);
    assert.equal(headers['idempotency-key'] !== undefined, method === 'POST', path);
    assert.equal(headers['x-stripe-client-telemetry'], undefined);
  }
  assert.equal(server.requests.at(-1)?.headers['idempotency-key'], 'checkout-key-1');
});

test('an answer that is lost after the effect is asked for again, and the effect happens once', async (t) => {
  const { server, hasty, payments, priceOf, customerId, subscribe } = await withCustomer(t);
  const id = await subscribe(customerId, priceOf('month'), 1);
  const losses: Fault[] = [
    { connection: 'cut' },
    { connection: 'reset', effect: 'done' },
    { connection: 'silent', effect: 'done' },
    { status: 500, effect: 'done' },
    { status: 503, body: '<h1>Unavailable</h1>' },
  ];
  for (const [at, loss] of losses.entries()) {
    const before = server.state.checkouts.size;
    server.faults.next({ match: /POST .*(?:sessions|subscriptions)/, ...loss });
    await hasty.openCheckout(checkoutOf(customerId, priceOf('month')), `lost-${at}`);
    assert.equal(server.state.checkouts.size, before + 1, JSON.stringify(loss));
  }
  server.faults.next({ match: /POST .*subscriptions/, connection: 'cut' });
  await payments.changeSubscription(id, { quantity: 2 }, 'change');
  await payments.changeSubscription(id, { quantity: 2 }, 'change');
  assert.equal(server.eventsOf('customer.subscription.updated').length, 1);
});

test('a provider that stays away is unavailable, within a bounded number of attempts', async (t) => {
  const { server, hasty } = await make(t);
  const failures: [Fault, PaymentsError['code']][] = [
    [{ status: 500 }, 'unavailable'],
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, 'unavailable'],
    [{ connection: 'cut' }, 'unavailable'],
    [{ connection: 'reset' }, 'unavailable'],
    [{ connection: 'silent' }, 'unavailable'],
    [{ status: 409 }, 'conflict'],
  ];
  await Promise.all(
    failures.map(async ([fault, code], at) => {
      const match = new RegExp(`/v1/invoices/in_${at}$`);
      server.faults.next({ match, times: 10, ...fault });
      await assert.rejects(hasty.invoice(`in_${at}`), failsAs(code));
      assert.equal(server.requests.filter(({ path }) => match.test(`GET ${path}`)).length, 3, `${at}`);
    }),
  );
});

test('other failures are told apart and not repeated', async (t) => {
  const { server, payments } = await make(t);
  const failures: [Fault, PaymentsError['code']][] = [
    [{ status: 429 }, 'limited'],
    [{ status: 429, error: { code: 'lock_timeout' } }, 'conflict'],
    [{ status: 401 }, 'unauthorized'],
    [{ status: 403 }, 'unauthorized'],
    [{ status: 402 }, 'refused'],
    [{ status: 400 }, 'invalid'],
    [{ status: 404, body: '<h1>Not found</h1>' }, 'invalid'],
    [{ status: 302, body: '' }, 'unavailable'],
    [{ status: 200, body: 'null' }, 'unavailable'],
    [{ status: 200, body: '<h1>Welcome</h1>' }, 'unavailable'],
    [{ status: 200, body: '{"object":"list"}' }, 'invalid'],
  ];
  for (const [fault, code] of failures) {
    server.requests.length = 0;
    server.faults.next(fault);
    await assert.rejects(payments.subscription('sub_1'), failsAs(code), JSON.stringify(fault));
    assert.equal(server.requests.length, 1, JSON.stringify(fault));
  }
  server.faults.next({ status: 404, body: '{}' });
  await assert.rejects(payments.probe(), failsAs('invalid'), 'a failure that says nothing is one');
});

test('an error shows neither the key nor the request', async (t) => {
  const { server, payments } = await make(t);
  server.faults.next({ status: 401, error: { message: `Invalid API Key provided: ${server.apiKey}` } });
  await assert.rejects(payments.probe(), (error: Error) => {
    assert.ok(!JSON.stringify([error.message, error.cause, error.stack]).includes(server.apiKey));
    return failsAs('unauthorized')(error);
  });
});

test('an answer that never ends is given up', async (t) => {
  const { server, hasty } = await make(t);
  server.faults.next({ times: 3, drip: true });
  const begun = performance.now();
  await assert.rejects(hasty.probe(), failsAs('unavailable'));
  assert.ok(performance.now() - begun < 10_000);
});

test('a call with a key that another one is using waits for it', async (t) => {
  const { server, payments, priceOf, customerId } = await withCustomer(t);
  const wanted = checkoutOf(customerId, priceOf('month'));
  server.faults.next({ match: /POST .*sessions/, delayMs: 300 });
  const [one, two] = await Promise.all([
    payments.openCheckout(wanted, 'same'),
    payments.openCheckout(wanted, 'same'),
  ]);
  assert.equal(one.checkoutId, two.checkoutId);
});

test('a customer that search does not find yet is not made again', async (t) => {
  const { server, payments } = await make(t);
  server.searchLagMs = 60_000;
  const tenant = somebody();
  const customerId = await payments.customer(tenant);
  assert.equal(await payments.customer({ ...tenant, name: 'New name' }), customerId);
  assert.equal(server.state.customers.size, 1);
  server.searchLagMs = 0;
  const { email, metadata } = server.state.customers.get(customerId) ?? {};
  assert.deepEqual([email, metadata], [tenant.email, { canonry_tenant: tenant.tenantId }]);
  const quoted = { ...tenant, tenantId: "it's \\ a test" };
  assert.equal(await payments.customer(quoted), await payments.customer(quoted));
});

test('lists are read to their end, newest first', async (t) => {
  const { server, payments, priceOf, customerId, subscribe } = await withCustomer(t);
  for (let count = 0; count < 205; count += 1) await subscribe(customerId, priceOf('month'), 1);
  const found = await payments.subscriptionsOf(customerId);
  assert.deepEqual(
    found.map(({ subscriptionId }) => subscriptionId),
    [...server.state.subscriptions.keys()].reverse(),
  );
});

test('a page where somebody paid cannot be closed', async (t) => {
  const { server, payments, priceOf, customerId } = await withCustomer(t);
  const { checkoutId } = await payments.openCheckout(checkoutOf(customerId, priceOf('month')), 'key');
  server.completeCheckout(checkoutId);
  assert.equal(await payments.closeCheckout(checkoutId), false);
  const found = await payments.checkout(checkoutId);
  assert.deepEqual([found?.status, found?.paymentStatus], ['complete', 'paid']);
  assert.ok(found?.subscriptionId);
  const subscription = await payments.subscription(found.subscriptionId);
  assert.deepEqual(subscription?.metadata, { canonry_tenant: 'tenant-1' });
});

test('the portal has an address, and leaves plan and seats to us', async (t) => {
  const { server, payments, customerId } = await withCustomer(t);
  const address = await payments.portalAddress(customerId, 'https://studio.example.com/');
  assert.match(address, /^https:/);
  await payments.portalAddress(customerId, 'https://studio.example.com/');
  const portals = [...server.state.portals.values()];
  assert.deepEqual(
    portals.map(({ features }) => [features.subscription_cancel, features.subscription_update]),
    [[{ enabled: true }, { enabled: false }]],
  );
  const used = server.requests.filter(({ path }) => path === '/v1/billing_portal/sessions');
  assert.deepEqual(
    used.map(({ params }) => params.configuration),
    [portals[0]?.id, portals[0]?.id],
  );
  await assert.rejects(payments.portalAddress('cus_unknown', 'https://a.example/'), failsAs('invalid'));
});

test('what others sell on the same account is not ours, and other prices are left out', async (t) => {
  const { server, payments } = await make(t);
  await put(payments, somePlan({ code: 'ours' }));
  const [ours] = server.state.products.values();
  const [price] = server.state.prices.values();
  assert.ok(ours && price);
  server.state.products.set('prod_x', { ...ours, id: 'prod_x', metadata: { canonry_credits: 'many' } });
  const weekly = { interval: 'week' as never, interval_count: 1, usage_type: 'licensed' as const };
  server.state.prices.set('price_x', { ...price, id: 'price_x', product: 'prod_x', recurring: weekly });
  const other = (await payments.products()).find(({ productId }) => productId === 'prod_x');
  assert.deepEqual([other?.code, other?.plan, other?.credits, other?.prices], [null, null, null, []]);
});

test('a price that others made the default one of a product can be replaced', async (t) => {
  const { server, payments } = await make(t);
  const plan = somePlan();
  const { product, priceOf } = await put(payments, plan);
  const stored = server.state.products.get(product.productId);
  assert.ok(stored);
  stored.default_price = priceOf('year');
  const prices = plan.prices.map((price) => ({ ...price, amount: price.amount * 2 }));
  const changed = await put(payments, { ...plan, prices });
  assert.deepEqual(
    changed.product.prices.map(({ amount }) => amount).sort((a, b) => a - b),
    [2_000, 20_000],
  );
});

test('no connection is left open after it is closed', async (t) => {
  const { server, payments } = await make(t);
  await payments.probe();
  assert.equal(await server.connections(), 1);
  payments.close();
  await until(async () => (await server.connections()) === 0);
});
