import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Billing, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const DAY_MS = 24 * 3_600_000;

interface Subscription {
  plan: string;
  status: string;
  subscribed_plan: string;
  seats: number;
  next_period: { plan: string; seats: number } | null;
  interval: string;
  cancel_at_period_end: boolean;
  grace_ends_at: string | null;
  trial_ends_at: string | null;
  notices: { code: string; until: string | null }[];
  over_limits: { limit: string; used: number; allowed: number; message: string }[];
}
interface Page {
  checkout_id: string;
  url: string;
}

forEachDatabase((_name, open) => {
  describe('a subscription', () => {
    let billing: Billing;
    before(async () => {
      billing = await startBilling({ open });
    });
    after(() => billing.close());

    const checkout = async (tenantId: string, body: object, headers = {}) =>
      billing.ask<Page>(`owner:${tenantId}`, 'POST', '/checkout', body, headers);
    const read = async (tenantId: string) =>
      (await billing.ask<Subscription>(`viewer:${tenantId}`, 'GET', '/subscription')).body;
    const change = (tenantId: string, body: object, headers = {}) =>
      billing.ask<Subscription>(`owner:${tenantId}`, 'PUT', '/subscription', body, headers);

    async function subscribed(body: object, card: 'ok' | 'declines' = 'ok'): Promise<string> {
      const tenantId = await billing.tenant();
      await billing.subscribe(tenantId, body, card);
      return tenantId;
    }
    const idOf = async (tenantId: string): Promise<string> => {
      const rows = await billing.rows('billing_subscriptions');
      return rows.find((row) => row.tenant_id === tenantId)?.subscription_id ?? '';
    };

    test('checkout, events, plan and credits', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 5 });
      assert.deepEqual(await billing.planOf(tenantId), ['team', 5]);
      const { status, plan, seats, interval, notices } = await read(tenantId);
      assert.deepEqual([status, plan, seats, interval, notices], ['active', 'team', 5, 'month', []]);
      const periods = (await billing.rows('test_periods')).filter((row) => row.tenant_id === tenantId);
      assert.equal(periods.length, 1);
      await billing.pass(32 * DAY_MS);
      const later = (await billing.rows('test_periods')).filter((row) => row.tenant_id === tenantId);
      assert.equal(later.length, 2, 'the paid month began');
      const invoices = (await billing.rows('billing_invoices')).filter((row) => row.tenant_id === tenantId);
      assert.deepEqual(
        invoices.map(({ status, amount_paid }) => [status, amount_paid]),
        [
          ['paid', 9500],
          ['paid', 9500],
        ],
      );
      const shown = await billing.ask<{ invoices: { status: string }[] }>(
        `owner:${tenantId}`,
        'GET',
        '/invoices',
      );
      assert.equal(shown.body.invoices.length, 2);
    });

    test('a trial: once, announced, then paid', async () => {
      const tenantId = await subscribed({ plan: 'indie', trial: true });
      assert.deepEqual(await billing.planOf(tenantId), ['indie', 1]);
      const trial = await read(tenantId);
      assert.equal(trial.status, 'trialing');
      assert.ok(trial.trial_ends_at);
      await billing.pass(12 * DAY_MS);
      assert.deepEqual((await read(tenantId)).notices.map(({ code }) => code)[0], 'trial_ending');
      assert.ok(
        (await billing.mails(tenantId)).some((subject) => subject.startsWith('The trial of Studio ends on')),
      );
      await billing.pass(3 * DAY_MS);
      assert.equal((await read(tenantId)).status, 'active');
      await billing.happening(async () => billing.server.endAtPortal(await idOf(tenantId)));
      assert.deepEqual(await billing.planOf(tenantId), ['free', 1]);
      const again = await checkout(tenantId, { plan: 'indie', trial: true });
      assert.deepEqual([again.status, again.body.code], [409, 'trial_used']);
      assert.equal((await checkout(tenantId, { plan: 'indie' })).status, 200);
    });

    test('a trial of many seats gives five, and all of them once they are paid', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 900, trial: true });
      assert.deepEqual(await billing.planOf(tenantId), ['team', 5]);
      await billing.pass(15 * DAY_MS);
      assert.deepEqual(await billing.planOf(tenantId), ['team', 900]);
    });

    test('a trial of many seats gives five while its first payment fails', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 900, trial: true }, 'declines');
      await billing.pass(15 * DAY_MS);
      assert.equal((await read(tenantId)).status, 'past_due');
      assert.deepEqual(await billing.planOf(tenantId), ['team', 5]);
      await billing.happening(() => change(tenantId, { seats: 800 }));
      assert.deepEqual(await billing.planOf(tenantId), ['team', 5], 'nothing of it was paid for');
      const row = (await billing.rows('billing_subscriptions')).find((each) => each.tenant_id === tenantId);
      billing.server.setCard(row?.customer_id ?? '', 'ok');
      await billing.pass(3 * DAY_MS);
      assert.equal((await read(tenantId)).status, 'active');
      assert.deepEqual(await billing.planOf(tenantId), ['team', 900]);
    });

    test('seats whose payment nobody told of count a day later', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 900, trial: true });
      billing.clock.pass(14 * DAY_MS + 2 * 3_600_000);
      billing.server.advance(0);
      await billing.upkeep();
      assert.equal((await read(tenantId)).status, 'active');
      assert.deepEqual(await billing.planOf(tenantId), ['team', 5]);
      billing.clock.pass(DAY_MS);
      await billing.upkeep();
      assert.deepEqual(await billing.planOf(tenantId), ['team', 900]);
    });

    test('upgrade, seats, downgrade with what is too much, cancel, resume, end', async () => {
      const tenantId = await subscribed({ plan: 'indie' });
      const team = await billing.happening(() => change(tenantId, { plan: 'team', seats: 4 }));
      assert.equal(team.status, 200, team.body.detail);
      assert.deepEqual([team.body.plan, team.body.seats, team.body.over_limits], ['team', 4, []]);
      billing.members.set(tenantId, 4);
      const fewer = await billing.happening(() => change(tenantId, { seats: 2 }));
      assert.deepEqual([fewer.body.seats, fewer.body.next_period], [4, { plan: 'team', seats: 2 }]);
      assert.deepEqual(
        fewer.body.over_limits.map(({ limit, used, allowed }) => [limit, used, allowed]),
        [['seats', 4, 2]],
      );
      const down = await billing.happening(() => change(tenantId, { plan: 'indie' }));
      assert.deepEqual([down.body.plan, down.body.next_period], ['team', { plan: 'indie', seats: 1 }]);
      assert.match(down.body.over_limits[0]?.message ?? '', /4 people share one seat/);
      const seats = await change(tenantId, { seats: 3 });
      assert.deepEqual([seats.status, seats.body.code], [422, 'invalid_seats']);
      await billing.pass(32 * DAY_MS);
      assert.deepEqual(await billing.planOf(tenantId), ['indie', 1]);
      const cancelled = await billing.happening(() => change(tenantId, { cancel_at_period_end: true }));
      assert.deepEqual([cancelled.body.status, cancelled.body.plan], ['canceling', 'indie']);
      const resumed = await billing.happening(() => change(tenantId, { cancel_at_period_end: false }));
      assert.equal(resumed.body.status, 'active');
      await billing.happening(() => change(tenantId, { cancel_at_period_end: true }));
      await billing.pass(32 * DAY_MS);
      assert.deepEqual(
        [(await read(tenantId)).status, await billing.planOf(tenantId)],
        ['ended', ['free', 1]],
      );
      const nothing = await change(tenantId, { seats: 1 });
      assert.deepEqual([nothing.status, nothing.body.code], [409, 'not_subscribed']);
    });

    const paidBy = async (tenantId: string): Promise<number> =>
      (await billing.rows('billing_invoices'))
        .filter((row) => row.tenant_id === tenantId)
        .reduce((sum, { amount_paid }) => sum + amount_paid, 0);

    test('fewer seats count from the next period on: until then nothing is paid back, and nothing twice', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 10 });
      assert.equal(await paidBy(tenantId), 19_000);
      await billing.pass(5 * DAY_MS);
      const fewer = await billing.happening(() => change(tenantId, { seats: 1 }));
      assert.deepEqual(
        fewer.body.notices.map(({ code }) => code),
        ['less_from_next_period'],
      );
      assert.deepEqual(await billing.planOf(tenantId), ['team', 10]);
      const back = await billing.happening(() => change(tenantId, { seats: 8 }));
      assert.deepEqual([back.body.seats, back.body.next_period], [10, { plan: 'team', seats: 8 }]);
      assert.equal(await paidBy(tenantId), 19_000, 'nothing was charged for what is paid for');
      await billing.happening(() => change(tenantId, { seats: 1 }));
      const more = await billing.happening(() => change(tenantId, { seats: 12 }));
      assert.deepEqual([more.body.seats, more.body.next_period], [12, null]);
      const forTwo = (await paidBy(tenantId)) - 19_000;
      assert.ok(forTwo > 0.8 * 3_800 && forTwo < 3_800, `the rest of the month for two: ${forTwo}`);
      await billing.happening(() => change(tenantId, { seats: 2 }));
      const before = await paidBy(tenantId);
      await billing.pass(27 * DAY_MS);
      assert.deepEqual(await billing.planOf(tenantId), ['team', 2]);
      assert.equal((await paidBy(tenantId)) - before, 3_800, 'no credit of the month before');
      assert.equal((await read(tenantId)).next_period, null);
    });

    test('nothing is said to follow a period after which the subscription ends', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 5 });
      await billing.happening(() => change(tenantId, { seats: 2 }));
      const canceling = await billing.happening(() => change(tenantId, { cancel_at_period_end: true }));
      assert.deepEqual([canceling.body.seats, canceling.body.next_period], [5, null]);
      const resumed = await billing.happening(() => change(tenantId, { cancel_at_period_end: false }));
      assert.deepEqual(resumed.body.next_period, { plan: 'team', seats: 2 });
      await billing.happening(async () => billing.server.endAtPortal(await idOf(tenantId)));
      const ended = await read(tenantId);
      assert.deepEqual([ended.status, ended.next_period], ['ended', null]);
    });

    test('a card that is declined for more leaves fewer seats ordered for the next period', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 5 }, 'declines');
      await billing.happening(() => change(tenantId, { seats: 2 }));
      const refused = await billing.happening(() =>
        change(tenantId, { seats: 9 }, { 'idempotency-key': 'nine' }),
      );
      assert.deepEqual([refused.status, refused.body.code], [402, 'payment_declined']);
      const { seats, next_period } = await read(tenantId);
      assert.deepEqual([seats, next_period], [5, { plan: 'team', seats: 2 }]);
      const row = (await billing.rows('billing_subscriptions')).find((each) => each.tenant_id === tenantId);
      billing.server.setCard(row?.customer_id ?? '', 'ok');
      const again = await billing.happening(() =>
        change(tenantId, { seats: 9 }, { 'idempotency-key': 'nine' }),
      );
      assert.deepEqual([again.status, again.body.seats], [200, 9], 'the same key, once the card is good');
    });

    test('what is paid for ends with its period, also while the provider tells nothing', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 5 });
      await billing.happening(() => change(tenantId, { plan: 'indie' }));
      assert.deepEqual(await billing.planOf(tenantId), ['team', 5]);
      billing.clock.pass(32 * DAY_MS);
      await billing.tenants.grants.endDue();
      assert.deepEqual(await billing.planOf(tenantId), ['indie', 1]);
    });

    test('a change that is repeated after another one changes nothing, and nobody is told otherwise', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 1 });
      const keyed = (seats: number, key: string) =>
        billing.happening(() => change(tenantId, { seats }, { 'idempotency-key': key }));
      assert.equal((await keyed(90, 'more')).body.seats, 90);
      const fewer = { plan: 'team', seats: 2 };
      assert.deepEqual((await keyed(2, 'fewer')).body.next_period, fewer);
      const again = await keyed(90, 'more');
      assert.deepEqual([again.status, again.body.next_period], [200, fewer]);
      const other = await keyed(91, 'more');
      assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused']);
    });

    test('another interval takes what is paid for with it', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 3 });
      await billing.pass(2 * DAY_MS);
      const less = await change(tenantId, { interval: 'year', seats: 2 });
      assert.deepEqual([less.status, less.body.code], [409, 'paid_until_period_end']);
      const yearly = await billing.happening(() => change(tenantId, { interval: 'year' }));
      assert.deepEqual([yearly.status, yearly.body.interval, yearly.body.seats], [200, 'year', 3]);
      await billing.happening(() => change(tenantId, { seats: 1 }));
      const back = await change(tenantId, { interval: 'month' });
      assert.deepEqual([back.status, back.body.code], [409, 'paid_until_period_end']);
      await billing.happening(() => change(tenantId, { seats: 3 }));
      const monthly = await billing.happening(() => change(tenantId, { interval: 'month' }));
      assert.deepEqual([monthly.status, monthly.body.interval, monthly.body.seats], [200, 'month', 3]);
    });

    test('a declined card changes nothing', async () => {
      const tenantId = await subscribed({ plan: 'indie' }, 'declines');
      const refused = await change(tenantId, { plan: 'team', seats: 4 });
      assert.deepEqual([refused.status, refused.body.code], [402, 'payment_declined']);
      assert.deepEqual(await billing.planOf(tenantId), ['indie', 1]);
    });

    test('past due: the plan stays 14 days, then the free limits count, a payment brings it back', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 2 }, 'declines');
      await billing.pass(32 * DAY_MS);
      const due = await read(tenantId);
      assert.deepEqual([due.status, due.notices[0]?.code], ['past_due', 'payment_failed']);
      assert.deepEqual(await billing.planOf(tenantId), ['team', 2]);
      const failures = (await billing.mails(tenantId)).filter(
        (subject) => subject === 'A payment for Studio failed',
      );
      assert.equal(failures.length, 1);
      billing.clock.pass(14 * DAY_MS);
      await billing.upkeep();
      const late = await read(tenantId);
      assert.deepEqual([late.status, late.subscribed_plan, late.plan], ['past_grace', 'team', 'free']);
      const customer = (await billing.rows('billing_subscriptions')).find(
        (row) => row.tenant_id === tenantId,
      );
      billing.server.setCard(customer?.customer_id ?? '', 'ok');
      const open = [...billing.server.state.invoices.values()].find(
        ({ status, customer: of }) => status === 'open' && of === customer?.customer_id,
      );
      await billing.happening(() => billing.server.payOpenInvoice(open?.id ?? ''));
      assert.deepEqual(
        [(await read(tenantId)).status, await billing.planOf(tenantId)],
        ['active', ['team', 2]],
      );
    });

    test('nobody subscribes twice', async () => {
      const tenantId = await billing.tenant();
      const [one, two] = await Promise.all([
        checkout(tenantId, { plan: 'indie' }),
        checkout(tenantId, { plan: 'indie' }),
      ]);
      assert.equal(one.body.checkout_id, two.body.checkout_id, 'a double click opens one page');
      const other = await checkout(tenantId, { plan: 'team', seats: 2 });
      assert.notEqual(other.body.checkout_id, one.body.checkout_id);
      assert.throws(() => billing.server.completeCheckout(one.body.checkout_id), /expired/);
      billing.server.completeCheckout(other.body.checkout_id);
      const early = await checkout(tenantId, { plan: 'indie' });
      assert.deepEqual([early.status, early.body.code], [409, 'already_subscribed'], 'before any event');
      await billing.server.deliver(billing.webhookUrl);
      const late = await checkout(tenantId, { plan: 'indie' });
      assert.deepEqual([late.status, late.body.code], [409, 'already_subscribed']);
      assert.match(late.body.detail, /PUT \/api\/billing\/subscription.*portal/);
    });

    test('an Idempotency-Key stands for one request', async () => {
      const tenantId = await billing.tenant();
      const key = { 'idempotency-key': 'abc' };
      const one = await checkout(tenantId, { plan: 'indie' }, key);
      const same = await checkout(tenantId, { plan: 'indie' }, key);
      assert.equal(one.body.url, same.body.url);
      const reused = await checkout(tenantId, { plan: 'team' }, key);
      assert.deepEqual([reused.status, reused.body.code], [409, 'idempotency_key_reused']);
      assert.equal((await checkout(tenantId, { plan: 'team' })).status, 200);
      const over = await checkout(tenantId, { plan: 'indie' }, key);
      assert.deepEqual([over.status, over.body.code], [409, 'checkout_over']);
    });

    test('of two that arrive the older one stays, and the provider ends the newer one', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 3 });
      const errors = billing.expectErrors(/second/);
      const before = await idOf(tenantId);
      const [old] = (await billing.rows('billing_subscriptions')).filter((row) => row.tenant_id === tenantId);
      assert.ok(old);
      const mine = billing.server.state.subscriptions.get(before);
      assert.ok(mine);
      const twin = structuredClone(mine);
      twin.id = 'sub_twin';
      twin.created += 60;
      billing.server.state.subscriptions.set(twin.id, twin);
      const event = billing.server.makeEvent('customer.subscription.created', { ...twin });
      const [delivered] = await billing.server.deliver(billing.webhookUrl, {}, [event]);
      assert.equal(delivered?.status, 200);
      assert.deepEqual(await billing.planOf(tenantId), ['team', 3]);
      await billing.upkeep();
      assert.equal(billing.server.state.subscriptions.get('sub_twin')?.status, 'canceled');
      assert.equal(billing.server.state.subscriptions.get(before)?.status, 'active');
      assert.equal(errors.length, 2);
      const told = (await billing.mails(tenantId)).filter(
        (subject) => subject === 'Studio was subscribed twice',
      );
      assert.equal(told.length, 1);
    });

    test('lost events are asked for', async () => {
      const tenantId = await subscribed({ plan: 'indie' });
      const id = await idOf(tenantId);
      billing.server.endAtPortal(id);
      await billing.upkeep();
      assert.equal((await read(tenantId)).status, 'active', 'its period goes on');
      billing.clock.pass(32 * DAY_MS);
      await billing.upkeep();
      assert.deepEqual(
        [(await read(tenantId)).status, await billing.planOf(tenantId)],
        ['ended', ['free', 1]],
      );
      const page = await checkout(tenantId, { plan: 'indie' });
      billing.server.completeCheckout(page.body.checkout_id);
      billing.clock.pass(2 * 3_600_000);
      await billing.upkeep();
      assert.equal((await read(tenantId)).status, 'active', 'a checkout whose event was lost');
    });

    test('while the provider is away, the upkeep asks it once', async () => {
      for (let count = 0; count < 3; count += 1) {
        const page = await checkout(await billing.tenant(), { plan: 'indie' });
        assert.equal(page.status, 200, page.body.detail);
      }
      billing.clock.pass(2 * 3_600_000);
      billing.server.faults.next({ status: 500, times: 50 });
      const before = billing.server.requests.length;
      await assert.rejects(billing.upkeep());
      assert.equal(billing.server.requests.length - before, 1);
      billing.server.faults.clear();
      await billing.upkeep();
    });

    test('the end of a tenant ends its subscription', async () => {
      const tenantId = await subscribed({ plan: 'indie' });
      const id = await idOf(tenantId);
      billing.server.faults.next({ match: /DELETE/, status: 500 });
      await assert.rejects(billing.endTenant(tenantId), { name: 'PaymentsError' });
      assert.equal(await idOf(tenantId), id, 'it can be repeated');
      await billing.endTenant(tenantId);
      assert.equal(billing.server.state.subscriptions.get(id)?.status, 'canceled');
      assert.equal(await idOf(tenantId), '');
    });

    test('addresses to come back to are ours', async () => {
      const tenantId = await billing.tenant();
      for (const success_url of ['https://evil.example.com/', '//evil.example.com', 'javascript:alert(1)']) {
        const refused = await checkout(tenantId, { plan: 'indie', success_url });
        assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_success_url']);
      }
      const fine = { plan: 'indie', success_url: 'https://studio.example.com/done?x=1' };
      const { body } = await checkout(tenantId, fine);
      const session = billing.server.state.checkouts.get(body.checkout_id);
      assert.equal(session?.success_url, 'https://studio.example.com/done?x=1');
      assert.equal(session?.cancel_url, 'https://canonry.example.com/settings/billing');
    });

    test('the portal', async () => {
      const tenantId = await billing.tenant();
      const owner = `owner:${tenantId}`;
      const none = await billing.ask(owner, 'POST', '/portal');
      assert.deepEqual([none.status, none.body.code], [409, 'no_customer']);
      await checkout(tenantId, { plan: 'indie' });
      const { status, body } = await billing.ask<{ url: string }>(owner, 'POST', '/portal', {});
      assert.equal(status, 200);
      const page = await billing.ask(owner, 'GET', '/portal');
      assert.equal(page.status, 302);
      assert.match(page.headers.get('location') ?? '', /^https:/);
      assert.match(body.url, /^https:/);
      const evil = await billing.ask(owner, 'POST', '/portal', { return_url: 'https://evil.example.com' });
      assert.equal(evil.status, 422);
    });

    test('only owners, in person, touch money', async () => {
      const tenantId = await billing.tenant();
      for (const [method, path] of [
        ['POST', '/checkout'],
        ['POST', '/purchase-tokens'],
        ['POST', '/portal'],
        ['GET', '/portal'],
        ['PUT', '/subscription'],
        ['GET', '/invoices'],
        ['GET', '/purchase-history'],
      ] as const) {
        const body = method === 'GET' ? undefined : { plan: 'indie', block: 'x' };
        for (const who of ['admin', 'key'])
          assert.equal(
            (await billing.ask(`${who}:${tenantId}`, method, path, body)).status,
            403,
            `${who} ${path}`,
          );
      }
    });
  });

  test('in the ledger: the months that are paid for, and what was bought', async () => {
    const billing = await startBilling({ open, ledger: true });
    try {
      const { server, clock } = billing;
      const tenantId = await billing.tenant();
      const owner = `owner:${tenantId}`;
      const balance = async () => (await billing.credits.look(tenantId, '')).balance;
      const buy = async (path: string, body: object) => {
        const page = await billing.ask<Page>(owner, 'POST', path, body);
        assert.equal(page.status, 200, page.body.detail);
        server.completeCheckout(page.body.checkout_id);
        await server.deliver(billing.webhookUrl, { twice: true });
      };
      assert.equal(await balance(), 100);
      await buy('/checkout', { plan: 'team', seats: 2 });
      assert.equal(await balance(), 1500);
      await buy('/purchase-tokens', { block: 'credits_2000', quantity: 2 });
      assert.equal(await balance(), 5500);
      clock.pass(32 * DAY_MS);
      server.advance(0);
      await server.deliver(billing.webhookUrl, { order: 'shuffled', twice: true, atOnce: 4 });
      assert.equal(await balance(), 5500, 'a new month, and what was bought stays');
      await billing.endTenant(tenantId);
      await billing.credits.idle();
    } finally {
      await billing.close();
    }
  });
});
