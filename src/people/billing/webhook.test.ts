import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Billing, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { SentEvent } from '../../../test/support/payments/deliveries.ts';
import { createStripePayments } from '../../platform/payments/adapters/stripe-payments.ts';
import type { Payments } from '../../platform/payments/payments.ts';

const DAY_MS = 24 * 3_600_000;
const MB = 1024 * 1024;

interface Receipt {
  received?: boolean;
  duplicate?: boolean;
  code?: string;
  detail?: string;
}

const post = async (url: string, body: string | Buffer, headers: Record<string, string>) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const json = (await response.json()) as Receipt;
  return { status: response.status, body: json, headers: response.headers };
};

forEachDatabase((_name, open) => {
  describe('events of the provider', () => {
    let billing: Billing;
    before(async () => {
      billing = await startBilling({ open });
    });
    after(() => billing.close());

    const send = ({ payload, headers }: SentEvent, url = billing.webhookUrl) => post(url, payload, headers);
    const eventRow = async ({ id }: SentEvent) =>
      (await billing.rows('billing_events')).find((row) => row.event_id === id);
    const signed = (payload: string, secret: string, seconds = Math.floor(billing.clock.now() / 1000)) => ({
      seconds: `t=${seconds}`,
      v1: `v1=${createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex')}`,
    });

    test('every case of a signature', async () => {
      const { webhookSecret, makeEvent } = billing.server;
      const { payload } = makeEvent('ping', { id: 'obj_1' });
      const nowS = Math.floor(billing.clock.now() / 1000);
      const good = signed(payload, webhookSecret);
      const wrong = signed(payload, 'whsec_other');
      const old = signed(payload, webhookSecret, nowS - 301);
      const cases: [Record<string, string>, number][] = [
        [{}, 400],
        [{ 'billing-signature': '' }, 400],
        [{ 'billing-signature': 'nonsense' }, 400],
        [{ 'billing-signature': `${good.seconds},${wrong.v1}` }, 400],
        [{ 'billing-signature': `${old.seconds},${old.v1}` }, 400],
        [{ 'billing-signature': good.v1 }, 400],
        [{ 'stripe-signature': `${good.seconds},${good.v1}` }, 400],
        [{ 'billing-signature': `${good.seconds},${wrong.v1},${good.v1}` }, 200],
      ];
      for (const [headers, status] of cases) {
        const reply = await post(billing.webhookUrl, payload, headers);
        assert.equal(reply.status, status, JSON.stringify(headers));
        if (status === 400) assert.equal(reply.body.code, 'invalid_signature');
      }
      const changed = payload.replace('obj_1', 'obj_2');
      const forged = await post(billing.webhookUrl, changed, {
        'billing-signature': `${good.seconds},${good.v1}`,
      });
      assert.equal(forged.status, 400);
      const text = 'not json';
      const t = signed(text, webhookSecret);
      const broken = await post(billing.webhookUrl, text, { 'billing-signature': `${t.seconds},${t.v1}` });
      assert.deepEqual([broken.status, broken.body.code], [400, 'invalid_event']);
      const large = await post(billing.webhookUrl, Buffer.alloc(MB + 1, 'x'), { 'billing-signature': 'x' });
      assert.equal(large.status, 413);
    });

    test('unknown types and customers are acknowledged and kept', async () => {
      const { makeEvent } = billing.server;
      const unknown = makeEvent('payout.paid', { id: 'po_1', object: 'payout' });
      assert.deepEqual((await send(unknown)).body, { received: true });
      const row = await eventRow(unknown);
      assert.deepEqual(
        [row?.outcome, row?.object_id, row?.payload],
        ['unknown_type', 'po_1', unknown.payload],
      );
      const customerId = await stranger(billing);
      const page = await shopOf(billing).openCheckout(await orderOf(billing, 'gone', customerId), 'x');
      billing.server.completeCheckout(page.checkoutId);
      const [created] = billing.server.eventsOf('customer.subscription.created').slice(-1);
      assert.ok(created);
      assert.equal((await send(created)).status, 200);
      assert.equal((await eventRow(created))?.outcome, 'unknown_customer');
    });

    test('20 at once over two processes count once, and each is answered after it counts', async () => {
      const tenantId = await billing.tenant();
      const other = await billing.another();
      const event = await boughtCredits(billing, tenantId);
      const replies = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const reply = await send(event, index % 2 === 0 ? billing.webhookUrl : other.webhookUrl);
          const booked = (await billing.rows('test_bookings')).filter((row) => row.tenant_id === tenantId);
          return [reply.status, reply.body.duplicate ?? false, booked.length];
        }),
      );
      const firsts = replies.filter(([, isDuplicate]) => isDuplicate === false);
      assert.equal(firsts.length, 1);
      for (const [status, , booked] of replies) assert.deepEqual([status, booked], [200, 1]);
      const later = await send(event);
      assert.deepEqual(later.body, { received: true, duplicate: true });
    });

    test('two events about one purchase book it once', async () => {
      const tenantId = await billing.tenant();
      const event = await boughtCredits(billing, tenantId);
      const again = billing.server.makeEvent(
        'checkout.session.async_payment_succeeded',
        event.event.data.object,
      );
      const replies = await Promise.all([send(event), send(again)]);
      assert.deepEqual(
        replies.map(({ status, body }) => [status, body.duplicate]),
        [
          [200, undefined],
          [200, undefined],
        ],
      );
      const booked = (await billing.rows('test_bookings')).filter((row) => row.tenant_id === tenantId);
      assert.deepEqual(
        booked.map(({ amount }) => amount),
        [1000],
      );
    });

    test('one event id counts once, even where no lock is shared', async () => {
      const tenantId = await billing.tenant();
      const other = await billing.another();
      const { server } = billing;
      const one = await boughtCredits(billing, tenantId);
      const two = await boughtCredits(billing, tenantId, 'again');
      const same = server.makeEvent(two.type, two.event.data.object, { id: one.id });
      // Both have asked whether the event is known before either stores it.
      server.faults.next({ match: /GET \/v1\/checkout/, delayMs: 150, times: 2 });
      const replies = await Promise.all([send(one), send(same, other.webhookUrl)]);
      server.faults.clear();
      assert.deepEqual(replies.map(({ status, body }) => [status, body.duplicate ?? false]).sort(), [
        [200, false],
        [200, true],
      ]);
      const booked = (await billing.rows('test_bookings')).filter((row) => row.tenant_id === tenantId);
      assert.equal(booked.length, 1);
    });

    test('an effect that fails leaves no trace of the event', async () => {
      const tenantId = await billing.tenant();
      const errors = billing.expectErrors(/POST \/api\/billing\/webhook failed/);
      const event = await boughtCredits(billing, tenantId);
      const hidden = await billing.hideBooks();
      assert.equal((await send(event)).status, 500);
      assert.equal(await eventRow(event), undefined);
      assert.equal(
        (await billing.rows('billing_purchases')).some((row) => row.tenant_id === tenantId),
        false,
      );
      await hidden.back();
      assert.deepEqual((await send(event)).body, { received: true });
      assert.equal(errors.length, 1);
    });

    test('in any order, each twice, the end is the same', async () => {
      const { server } = billing;
      const tenantId = await billing.tenant();
      const start = server.events.length;
      const page = await billing.ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', '/checkout', {
        plan: 'team',
        seats: 2,
      });
      server.completeCheckout(page.body.checkout_id);
      const id = server.state.checkouts.get(page.body.checkout_id)?.subscription ?? '';
      billing.clock.pass(1000);
      server.changeAtPortal(id, { quantity: 6 });
      await server.deliver(
        billing.webhookUrl,
        { order: 'shuffled', twice: true, atOnce: 4 },
        server.events.slice(start),
      );
      assert.deepEqual(await billing.planOf(tenantId), ['team', 6]);
      server.endAtPortal(id);
      await server.deliver(
        billing.webhookUrl,
        { order: 'shuffled', twice: true, atOnce: 4 },
        server.events.slice(start),
      );
      assert.deepEqual(await billing.planOf(tenantId), ['free', 1]);
    });

    test('a provider that is away or hangs: 503 within a bounded time, nothing half applied', async () => {
      const tenantId = await billing.tenant();
      const event = await boughtCredits(billing, tenantId);
      const faults = [
        { connection: 'silent' },
        { connection: 'reset' },
        { status: 500 },
        { status: 429 },
      ] as const;
      for (const fault of faults) {
        billing.server.faults.next({ ...fault, match: /GET \/v1\/checkout/, times: 2 });
        const begun = performance.now();
        const reply = await send(event);
        assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '30']);
        assert.ok(performance.now() - begun < 3000);
        assert.equal(await eventRow(event), undefined);
        billing.server.faults.clear();
      }
      assert.deepEqual((await send(event)).body, { received: true });
    });

    test('a purchase that does not match is held', async () => {
      const errors = billing.expectErrors(/is held and nothing was booked/);
      const wrongs: [string, (session: Record<string, unknown>) => void][] = [
        ['the provider says another amount', (session) => Object.assign(session, { amount_total: 1 })],
        [
          'credits that were not bought',
          (session) =>
            Object.assign(session, { metadata: { ...(session.metadata as object), credits: '999' } }),
        ],
        ['another person', (session) => Object.assign(session, { client_reference_id: 'somebody' })],
        ['another currency', (session) => Object.assign(session, { currency: 'usd' })],
      ];
      for (const [what, spoil] of wrongs) {
        const tenantId = await billing.tenant();
        const event = await boughtCredits(billing, tenantId);
        const id = String(event.event.data.object.id);
        spoil(billing.server.state.checkouts.get(id) as unknown as Record<string, unknown>);
        assert.equal((await send(event)).status, 200, what);
        assert.equal((await eventRow(event))?.outcome, 'held', what);
        assert.equal(
          (await billing.rows('test_bookings')).some((row) => row.tenant_id === tenantId),
          false,
        );
        const history = await billing.ask<{ purchases: { status: string }[] }>(
          `owner:${tenantId}`,
          'GET',
          '/purchase-history',
        );
        assert.deepEqual(
          history.body.purchases.map(({ status }) => status),
          ['held'],
        );
      }
      assert.equal(errors.length, wrongs.length);
    });

    test('another sum than the price is held, though the event and the provider agree', async () => {
      billing.expectErrors(/was paid for what costs/);
      for (const spoiled of [{ amount_total: 1 }, { amount_total: 999_999 }]) {
        const tenantId = await billing.tenant();
        const event = await boughtCredits(billing, tenantId);
        const session = billing.server.state.checkouts.get(String(event.event.data.object.id));
        assert.ok(session);
        Object.assign(session, spoiled);
        const agreeing = billing.server.makeEvent(event.type, { ...session });
        assert.equal((await send(agreeing)).status, 200);
        const row = await eventRow(agreeing);
        assert.equal(row?.outcome, 'held');
        assert.match(row?.note ?? '', /was paid for what costs 10.00 EUR/);
        assert.equal(
          (await billing.rows('test_bookings')).some((row) => row.tenant_id === tenantId),
          false,
        );
      }
    });

    test('a transfer is booked when it arrives', async () => {
      const tenantId = await billing.tenant();
      const event = await boughtCredits(billing, tenantId);
      const session = billing.server.state.checkouts.get(String(event.event.data.object.id));
      assert.ok(session);
      session.payment_status = 'unpaid';
      await send(event);
      const statusNow = async () =>
        (await billing.rows('billing_purchases')).find((row) => row.tenant_id === tenantId)?.status;
      assert.equal(await statusNow(), 'pending');
      session.payment_status = 'paid';
      await send(billing.server.makeEvent('checkout.session.async_payment_succeeded', { ...session }));
      assert.equal(await statusNow(), 'booked');
    });
  });

  describe('with a secret alone', () => {
    let billing: Billing;
    before(async () => {
      billing = await startBilling({ open, key: false });
    });
    after(() => billing.close());

    /** Somebody else opened the page; its events are all that arrives. */
    async function lifeOf(tenantId: string): Promise<{ events: SentEvent[]; subscriptionId: string }> {
      const { server } = billing;
      const start = server.events.length;
      const shop = shopOf(billing);
      const customerId = await shop.customer({ tenantId, name: 'Studio', email: 'mira@example.com' });
      const page = await shop.openCheckout(await orderOf(billing, tenantId, customerId), tenantId);
      shop.close();
      server.completeCheckout(page.checkoutId);
      const subscriptionId = server.state.checkouts.get(page.checkoutId)?.subscription ?? '';
      return { events: server.events.slice(start), subscriptionId };
    }
    const deliver = (events: SentEvent[], order: 'given' | 'reversed' | 'shuffled' = 'given') =>
      billing.server.deliver(billing.webhookUrl, { order, twice: true }, events);

    test('state comes from the events, whatever their order', async () => {
      const { server, clock } = billing;
      for (const order of ['given', 'reversed', 'shuffled', 'shuffled', 'shuffled'] as const) {
        const tenantId = await billing.tenant();
        const { events, subscriptionId } = await lifeOf(tenantId);
        await deliver(events, order);
        assert.deepEqual(await billing.planOf(tenantId), ['team', 3], order);
        const start = server.events.length;
        clock.pass(2000);
        server.changeAtPortal(subscriptionId, { quantity: 4 });
        clock.pass(2000);
        server.changeAtPortal(subscriptionId, { quantity: 5 });
        await deliver([...events, ...server.events.slice(start)], order);
        assert.deepEqual(await billing.planOf(tenantId), ['team', 5], order);
        clock.pass(2000);
        server.changeAtPortal(subscriptionId, { quantity: 6 });
        server.endAtPortal(subscriptionId);
        await deliver(server.events.slice(start), order);
        assert.deepEqual(await billing.planOf(tenantId), ['free', 1], order);
      }
    });

    test('a failed payment, its grace, and the payment; what comes late changes nothing', async () => {
      const { server, clock } = billing;
      const tenantId = await billing.tenant();
      const { events, subscriptionId } = await lifeOf(tenantId);
      await deliver(events);
      const invoice = [...server.state.invoices.values()].at(-1);
      clock.pass(31 * DAY_MS);
      const failed = server.makeEvent('invoice.payment_failed', { ...invoice, id: 'in_2', status: 'open' });
      await deliver([failed]);
      const stateNow = async () =>
        (await billing.rows('billing_subscriptions')).find((row) => row.subscription_id === subscriptionId)
          ?.state;
      assert.equal(await stateNow(), 'past_due');
      clock.pass(14 * DAY_MS);
      await billing.upkeep();
      assert.deepEqual([await stateNow(), await billing.planOf(tenantId)], ['past_grace', ['free', 1]]);
      await deliver([server.makeEvent('invoice.paid', { ...invoice, id: 'in_2', status: 'paid' })]);
      assert.deepEqual([await stateNow(), await billing.planOf(tenantId)], ['active', ['team', 3]]);
      await deliver([server.makeEvent('invoice.payment_failed', { ...invoice, id: 'in_2', status: 'open' })]);
      assert.equal(await stateNow(), 'active', 'this invoice is paid');
    });

    test('reads answer, actions say what is missing', async () => {
      const tenantId = await billing.tenant();
      const owner = `owner:${tenantId}`;
      const prices = await billing.ask<{ configured: boolean; plans: object[] }>(null, 'GET', '/prices');
      assert.deepEqual([prices.body.configured, prices.body.plans.length], [false, 4]);
      const reads = ['/token-blocks', '/subscription', '/status', '/invoices', '/purchase-history'];
      for (const path of reads) assert.equal((await billing.ask(owner, 'GET', path)).status, 200, path);
      const actions: [string, string, object | undefined][] = [
        ['POST', '/checkout', { plan: 'indie' }],
        ['POST', '/purchase-tokens', { block: 'credits_500' }],
        ['POST', '/portal', {}],
        ['GET', '/portal', undefined],
        ['PUT', '/subscription', { seats: 2 }],
      ];
      for (const [method, path, body] of actions) {
        const reply = await billing.ask(owner, method, path, body);
        assert.deepEqual([reply.status, reply.body.code], [409, 'not_configured'], path);
        assert.match(reply.body.detail, /BILLING_API_KEY/);
      }
    });

    test('a signed purchase is booked as it says', async () => {
      const tenantId = await billing.tenant();
      const event = await boughtCredits(billing, tenantId);
      assert.equal((await post(billing.webhookUrl, event.payload, event.headers)).status, 200);
      const booked = (await billing.rows('test_bookings')).filter((row) => row.tenant_id === tenantId);
      assert.deepEqual(
        booked.map(({ amount }) => amount),
        [1000],
      );
    });
  });

  test('without a secret every event is refused', async () => {
    const billing = await startBilling({ open, secret: false });
    try {
      const event = billing.server.makeEvent('ping', { id: 'x' });
      const reply = await post(billing.webhookUrl, event.payload, event.headers);
      assert.deepEqual([reply.status, reply.body.code], [409, 'not_configured']);
      assert.match(reply.body.detail ?? '', /BILLING_WEBHOOK_SECRET/);
    } finally {
      await billing.close();
    }
  });

  test('a self-hosted core records its subscription and keeps its plan', async () => {
    const billing = await startBilling({ open, localPlan: 'enterprise' });
    try {
      const tenantId = await billing.tenant();
      const page = await billing.ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', '/checkout', {
        plan: 'indie',
      });
      billing.server.completeCheckout(page.body.checkout_id);
      await billing.server.deliver(billing.webhookUrl);
      const { body } = await billing.ask(`owner:${tenantId}`, 'GET', '/subscription');
      assert.deepEqual([body.plan, body.subscribed_plan, body.status], ['enterprise', 'indie', 'active']);
    } finally {
      await billing.close();
    }
  });
});

const shopOf = ({ server }: Billing): Payments =>
  createStripePayments({ apiKey: server.apiKey, apiBase: server.url });

async function orderOf(billing: Billing, tenantId: string, customerId: string) {
  const shop = shopOf(billing);
  const team = (await shop.products()).find(({ plan }) => plan === 'team');
  shop.close();
  const price = team?.prices.find(({ interval }) => interval === 'month');
  return {
    customerId,
    priceId: price?.priceId ?? '',
    quantity: 3,
    mode: 'subscription',
    userId: 'mira',
    metadata: { tenant_id: tenantId, user_id: 'mira', plan: 'team', interval: 'month', seats: '3' },
    successUrl: 'https://canonry.example.com/',
    cancelUrl: 'https://canonry.example.com/',
  } as const;
}

async function stranger(billing: Billing): Promise<string> {
  const shop = shopOf(billing);
  const id = await shop.customer({ tenantId: 'gone', name: 'Gone', email: 'gone@example.com' });
  shop.close();
  return id;
}

/** The event of two blocks of 500 credits that were paid for. */
async function boughtCredits(billing: Billing, tenantId: string, which = 'first'): Promise<SentEvent> {
  const shop = shopOf(billing);
  const block = (await shop.products()).find(({ credits }) => credits === 500);
  const customerId = await shop.customer({ tenantId, name: 'Studio', email: 'mira@example.com' });
  const page = await shop.openCheckout(
    {
      customerId,
      priceId: block?.prices[0]?.priceId ?? '',
      quantity: 2,
      mode: 'payment',
      userId: 'mira',
      metadata: { tenant_id: tenantId, user_id: 'mira', credits: '1000' },
      successUrl: 'https://canonry.example.com/',
      cancelUrl: 'https://canonry.example.com/',
    },
    `credits ${tenantId} ${which}`,
  );
  shop.close();
  billing.server.completeCheckout(page.checkoutId);
  const event = billing.server
    .eventsOf('checkout.session.completed')
    .find(({ event: { data } }) => data.object.id === page.checkoutId);
  assert.ok(event);
  return event;
}
