import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createStripePayments } from '../../../src/platform/payments/adapters/stripe-payments.ts';
import { checkoutOf, put, somebody, somePlan } from '../../../src/platform/payments/payments.conformance.ts';
import { answering, startReceiver } from '../webhook-receiver.ts';
import { startPaymentServer } from './payment-server.ts';

const DAY_MS = 86_400_000;
/** At noon on the last day of a long month. */
const START = Date.UTC(2027, 0, 31, 12);

async function make(t: TestContext, trialDays?: number) {
  const server = await startPaymentServer({ clock: { now: () => START } });
  t.after(() => server.close());
  const payments = createStripePayments({ apiKey: server.apiKey, apiBase: server.url });
  t.after(() => payments.close());
  const { priceOf } = await put(payments, somePlan());
  const customerId = await payments.customer(somebody());
  const wanted = {
    ...checkoutOf(customerId, priceOf('month')),
    ...(trialDays !== undefined && { trialDays }),
  };
  const { checkoutId } = await payments.openCheckout(wanted, randomUUID());
  const subscriptionId = server.completeCheckout(checkoutId).subscription ?? '';
  const subscription = async () => (await payments.subscription(subscriptionId)) ?? assert.fail();
  const amounts = async () =>
    (await payments.invoices(customerId, { limit: 100 })).items.map(({ amountDue }) => amountDue);
  return { server, payments, priceOf, customerId, subscriptionId, subscription, amounts };
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test('periods follow the calendar from their anchor', async (t) => {
  const { server, subscription, amounts } = await make(t);
  const ends: string[] = [];
  for (let month = 0; month < 4; month += 1) {
    ends.push(dayOf((await subscription()).periodEnd));
    server.advance((await subscription()).periodEnd - server.now());
  }
  assert.deepEqual(ends, ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  assert.deepEqual(await amounts(), [2_000, 2_000, 2_000, 2_000, 2_000]);
});

test('a year that is passed in one step happens in its order', async (t) => {
  const { server, amounts } = await make(t, 14);
  server.advance(365 * DAY_MS);
  const times = server.events.map(({ event }) => event.created);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.equal(server.eventsOf('customer.subscription.trial_will_end').length, 1);
  assert.equal(server.eventsOf('invoice.upcoming').length, 12);
  assert.deepEqual(await amounts(), [...Array(12).fill(2_000), 0]);
});

test('a charge that fails is repeated, paid by a new card, or ends the subscription', async (t) => {
  const { server, subscription, customerId, payments } = await make(t);
  server.setCard(customerId, 'declines');
  server.advance(28 * DAY_MS);
  assert.equal((await subscription()).status, 'past_due');
  const [open] = (await payments.invoices(customerId, { limit: 1 })).items;
  assert.deepEqual([open?.status, open?.amountPaid, open?.paidAt], ['open', 0, null]);
  server.setCard(customerId, 'ok');
  assert.equal(server.payOpenInvoice(open?.invoiceId ?? ''), true);
  assert.equal((await subscription()).status, 'active');
  server.setCard(customerId, 'declines');
  server.advance(31 * DAY_MS + 9 * DAY_MS);
  assert.equal((await subscription()).status, 'canceled');
  assert.equal(server.eventsOf('invoice.payment_failed').length, 5);
  assert.equal(server.events.at(-1)?.type, 'customer.subscription.deleted');
});

test('a change in the middle of a period is prorated, and a credit is used later', async (t) => {
  const { server, priceOf, payments, subscriptionId, amounts, subscription } = await make(t);
  server.advance(14 * DAY_MS);
  await payments.changeSubscription(subscriptionId, { quantity: 4 }, 'more');
  assert.deepEqual(await amounts(), [1_000, 2_000]);
  server.changeAtPortal(subscriptionId, { quantity: 1 });
  assert.deepEqual((await amounts())[0], 0, 'a credit of 1 500');
  server.advance(14 * DAY_MS);
  assert.deepEqual((await amounts())[0], 0, '500 of the credit are left');
  server.changeAtPortal(subscriptionId, { priceId: priceOf('year') });
  assert.deepEqual((await amounts())[0], 10_000 - 1_000 - 500);
  assert.equal(dayOf((await subscription()).periodEnd), '2028-02-28');
});

test('a subscription ends with its period if that is wanted', async (t) => {
  const { server, subscriptionId, subscription } = await make(t);
  server.changeAtPortal(subscriptionId, { cancelAtPeriodEnd: true });
  server.advance(27 * DAY_MS);
  assert.equal((await subscription()).status, 'active');
  server.advance(DAY_MS);
  const { status, endedAt } = await subscription();
  assert.deepEqual([status, dayOf(endedAt ?? 0)], ['canceled', '2027-02-28']);
  assert.equal(server.eventsOf('invoice.upcoming').length, 0);
});

test('events are delivered until they are accepted', async (t) => {
  const { server, subscriptionId } = await make(t);
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  let refused = 0;
  receiver.answer((response, message) => answering(refused++ < 3 ? 500 : 204)(response, message));
  const delivery = server.deliverTo(`${receiver.url}/hook`);
  server.changeAtPortal(subscriptionId, { quantity: 3 });
  await delivery.idle();
  const types = delivery.attempts.filter(({ status }) => status === 204).map(({ event }) => event.type);
  assert.deepEqual(types.sort(), ['customer.subscription.updated', 'invoice.paid']);
  assert.equal(delivery.attempts.length, 5);
  await delivery.stop();
  server.endAtPortal(subscriptionId);
  assert.equal(receiver.received.length, 5);
});

test('events are delivered in other orders, twice or not at all', async (t) => {
  const { server } = await make(t);
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  await server.deliver(receiver.url, {
    order: 'reversed',
    twice: true,
    drop: ({ type }) => type === 'invoice.paid',
  });
  assert.deepEqual(
    receiver.received.map(({ event }) => event.type),
    [
      'checkout.session.completed',
      'customer.subscription.created',
      'checkout.session.completed',
      'customer.subscription.created',
    ],
  );
  assert.match(String(receiver.received[0]?.headers['billing-signature']), /^t=\d+,v1=\w{64}$/);
  const shuffled = await server.deliver(receiver.url, { order: 'shuffled', atOnce: 3 });
  assert.deepEqual(shuffled.map(({ event }) => event.id).sort(), server.events.map(({ id }) => id).sort());
});

test('an idempotency key answers as at first, and only to the same request', async (t) => {
  const { server } = await make(t);
  const ask = (body: string, key: string) =>
    fetch(`${server.url}/v1/customers`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        'stripe-version': '2026-10-28.endive',
        'idempotency-key': key,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
  const first = await ask('name=Ada', 'k');
  const second = await ask('name=Ada', 'k');
  assert.deepEqual(await second.json(), await first.json());
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  const other = await ask('name=Eve', 'k');
  assert.equal(other.status, 400);
  assert.equal(((await other.json()) as { error: { type: string } }).error.type, 'idempotency_error');
  assert.equal((await ask('nmae=Ada', 'l')).status, 400);
  server.faults.next({ match: /customers/, delayMs: 200 });
  const slow = ask('name=Ada', 'm');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await ask('name=Ada', 'm')).status, 409);
  assert.equal((await slow).status, 200);
});
