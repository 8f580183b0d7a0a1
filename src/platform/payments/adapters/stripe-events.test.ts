import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SentEvent } from '../../../../test/support/payments/deliveries.ts';
import { signatureOf } from '../../../../test/support/payments/deliveries.ts';
import { startPaymentServer } from '../../../../test/support/payments/payment-server.ts';
import { checkoutOf, failsAs, put, somebody, somePlan } from '../payments.conformance.ts';
import type { PaymentEventObject } from '../payments.ts';
import { createStripeEvents } from './stripe-events.ts';
import { createStripePayments } from './stripe-payments.ts';

const DAY_MS = 86_400_000;

async function make(t: TestContext) {
  const server = await startPaymentServer();
  t.after(() => server.close());
  const payments = createStripePayments({ apiKey: server.apiKey, apiBase: server.url });
  t.after(() => payments.close());
  const events = createStripeEvents({ secret: server.webhookSecret });
  const read = ({ payload, headers }: SentEvent, nowMs = server.now()) =>
    events.read(Buffer.from(payload), headers['billing-signature'], nowMs);
  return { server, payments, events, read };
}

/** Somebody subscribes with a trial. */
async function withTrial(t: TestContext) {
  const setup = await make(t);
  const { priceOf } = await put(setup.payments, somePlan());
  const customerId = await setup.payments.customer(somebody());
  const wanted = { ...checkoutOf(customerId, priceOf('month')), trialDays: 14 };
  const { checkoutId } = await setup.payments.openCheckout(wanted, 'key');
  const session = setup.server.completeCheckout(checkoutId);
  return { ...setup, customerId, checkoutId, subscriptionId: session.subscription ?? '' };
}

const kindsOf = (read: (event: SentEvent) => { object: PaymentEventObject }, events: readonly SentEvent[]) =>
  events.map((event) => `${event.type}: ${read(event).object.kind}`);

test('the events of a subscription from its trial to its end', async (t) => {
  const { server, payments, read, customerId, subscriptionId } = await withTrial(t);
  server.advance(15 * DAY_MS);
  server.setCard(customerId, 'declines');
  server.advance(31 * DAY_MS);
  await payments.endSubscription(subscriptionId);
  assert.deepEqual(kindsOf(read, server.events), [
    'customer.subscription.created: subscription',
    'invoice.paid: invoice',
    'checkout.session.completed: checkout',
    'customer.subscription.trial_will_end: subscription',
    'invoice.upcoming: invoice',
    'customer.subscription.updated: subscription',
    'invoice.paid: invoice',
    'invoice.upcoming: invoice',
    'customer.subscription.updated: subscription',
    'invoice.payment_failed: invoice',
    'customer.subscription.deleted: subscription',
  ]);
});

test('an event is read as the same object is by a call', async (t) => {
  const { server, payments, read, checkoutId, subscriptionId } = await withTrial(t);
  const objects = server.events.map((event) => read(event).object);
  const [created, paid, completed] = objects;
  assert.deepEqual(created, {
    kind: 'subscription',
    subscription: await payments.subscription(subscriptionId),
  });
  assert.ok(paid?.kind === 'invoice');
  assert.deepEqual(paid.invoice, await payments.invoice(paid.invoice.invoiceId));
  assert.ok(completed?.kind === 'checkout');
  const checkout = await payments.checkout(checkoutId);
  assert.deepEqual(completed.checkout, { ...checkout, lines: [] });
  const [event] = server.events;
  assert.ok(event);
  const { object: _, ...head } = read(event);
  assert.deepEqual(head, {
    eventId: event.id,
    type: 'customer.subscription.created',
    createdAt: event.event.created * 1000,
    apiVersion: '2026-10-28.endive',
    isLive: false,
  });
});

test('a renewal pays for the coming period, and an announced one has no id', async (t) => {
  const { server, payments, read, subscriptionId } = await withTrial(t);
  server.advance(15 * DAY_MS);
  const now = await payments.subscription(subscriptionId);
  for (const type of ['invoice.upcoming', 'invoice.paid']) {
    const event = server.eventsOf(type).at(-1);
    const object = event && read(event).object;
    assert.ok(object?.kind === 'invoice');
    const { invoice } = object;
    assert.deepEqual([invoice.periodStart, invoice.periodEnd], [now?.periodStart, now?.periodEnd], type);
    assert.deepEqual([invoice.amountDue, invoice.subscriptionId], [2_000, subscriptionId]);
    assert.equal(invoice.invoiceId === '', type === 'invoice.upcoming');
  }
});

test('objects of older versions are read too', async (t) => {
  const { server, read, subscriptionId } = await withTrial(t);
  const [{ event } = assert.fail(), { event: paid } = assert.fail()] = server.events;
  const { items, ...rest } = structuredClone(server.state.subscriptions.get(subscriptionId)) ?? assert.fail();
  const [{ current_period_start, current_period_end, ...item } = assert.fail()] = items.data;
  const old = { ...rest, current_period_start, current_period_end, items: { ...items, data: [item] } };
  const subscription = read(server.makeEvent(event.type, old));
  assert.deepEqual(subscription.object, read({ ...(server.events[0] ?? assert.fail()) }).object);
  const { parent: _, ...invoice } = paid.data.object;
  const asOld = read(server.makeEvent('invoice.paid', { ...invoice, subscription: subscriptionId }));
  assert.deepEqual(asOld.object, read(server.events[1] ?? assert.fail()).object);
});

test('a signature must be right, and at most five minutes old', async (t) => {
  const { server, events, read } = await withTrial(t);
  const [event = assert.fail()] = server.events;
  const { payload, headers } = event;
  const signature = headers['billing-signature'] ?? '';
  const signedAt = Number(/t=(\d+)/.exec(signature)?.[1]) * 1000;
  const fails = (text: string, given: string | undefined, nowMs = signedAt) =>
    assert.throws(() => events.read(Buffer.from(text), given, nowMs), failsAs('unauthorized'), given);
  events.read(Buffer.from(payload), signature, signedAt + 300_000);
  fails(payload, signature, signedAt + 301_000);
  fails(payload.replace('"livemode":false', '"livemode":true '), signature);
  fails(`${payload} `, signature);
  fails('', signature);
  const v1 = /v1=(\w+)/.exec(signature)?.[1] ?? '';
  const time = signature.split(',')[0] ?? '';
  const wrong = [
    undefined,
    '',
    'v1',
    time,
    `${time},v1`,
    `${time},v1=`,
    `v1=${v1}`,
    `${time},v0=${v1}`,
    `t=${signedAt / 1000 + 1},v1=${v1}`,
    signatureOf(payload, ['whsec_other'], signedAt),
    signatureOf(payload, [''], signedAt),
  ];
  for (const each of wrong) fails(payload, each);
  const blank = createStripeEvents({ secret: ' ' });
  const forged = signatureOf(payload, [' '], signedAt);
  assert.throws(() => blank.read(Buffer.from(payload), forged, signedAt), failsAs('unauthorized'));
  read(event);
});

test('while the secret is changed, the old one and the new one are accepted', async (t) => {
  const { server, read } = await withTrial(t);
  const [event = assert.fail()] = server.events;
  const secret = server.rollWebhookSecret();
  assert.equal(event.headers['billing-signature']?.split('v1=').length, 3);
  read(event);
  const { payload, headers } = event;
  createStripeEvents({ secret }).read(Buffer.from(payload), headers['billing-signature'], server.now());
  server.rollWebhookSecret();
  assert.throws(() => read(event), failsAs('unauthorized'));
});

test('a body that is no event is invalid, and other events are passed on', async (t) => {
  const { server, events, read } = await make(t);
  const bodies = ['{', 'null', '[]', '{}', '{"object":"event"}', '{"object":"v2.core.event","id":"evt_1"}'];
  for (const body of bodies) {
    const signature = signatureOf(body, [server.webhookSecret], server.now());
    assert.throws(() => events.read(Buffer.from(body), signature, server.now()), failsAs('invalid'), body);
  }
  const other = read(server.makeEvent('charge.refunded', { id: 'ch_1', object: 'charge' }));
  assert.deepEqual(other.object, { kind: 'other', objectId: 'ch_1' });
  const weekly = {
    id: 'sub_1',
    object: 'subscription',
    customer: 'cus_1',
    status: 'active',
    items: { data: [] },
  };
  const foreign = read(server.makeEvent('customer.subscription.created', weekly));
  assert.deepEqual(foreign.object, { kind: 'other', objectId: 'sub_1' });
});
