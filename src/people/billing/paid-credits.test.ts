import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { type Billing, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { CreditTables } from '../credits/credits.tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

forEachDatabase((_name, open) => {
  describe('credits are what is paid for', () => {
    let billing: Billing;
    before(async () => {
      billing = await startBilling({ open, ledger: true });
    });
    after(() => billing.close());

    async function subscribed(seats: number): Promise<string> {
      const tenantId = await billing.tenant();
      await billing.credits.look(tenantId, '');
      billing.clock.pass(2 * DAY_MS);
      await billing.subscribe(tenantId, { plan: 'team', seats });
      return tenantId;
    }

    const change = (tenantId: string, body: object) =>
      billing.happening(async () => {
        const reply = await billing.ask(`owner:${tenantId}`, 'PUT', '/subscription', body);
        assert.equal(reply.status, 200, reply.body.detail);
      });

    async function useCard(tenantId: string, card: 'ok' | 'declines'): Promise<void> {
      const rows = await billing.rows('billing_subscriptions');
      billing.server.setCard(rows.find((row) => row.tenant_id === tenantId)?.customer_id ?? '', card);
    }

    /** Of the months, spent or not. */
    async function granted(tenantId: string): Promise<number> {
      await billing.credits.look(tenantId, '');
      const lots = await billing.opened.database.system.read((db: Kysely<CreditTables>) =>
        db
          .selectFrom('credit_lots')
          .select('amount')
          .where('tenant_id', '=', tenantId)
          .where('source', '=', 'grant')
          .execute(),
      );
      return lots.reduce((sum, { amount }) => sum + amount, 0);
    }

    const periodEnd = async (tenantId: string): Promise<number> => {
      const reply = await billing.ask<{ current_period_end: string }>(
        `viewer:${tenantId}`,
        'GET',
        '/subscription',
      );
      return Date.parse(reply.body.current_period_end);
    };

    test('seats of the last hour bring the credits of an hour', async () => {
      const tenantId = await subscribed(1);
      const before = await granted(tenantId);
      await billing.pass((await periodEnd(tenantId)) - billing.clock.now() - HOUR_MS);
      await change(tenantId, { seats: 101 });
      const more = (await granted(tenantId)) - before;
      assert.ok(more > 0 && more <= Math.ceil(((100 * 750) / (28 * 24)) * 1.02), `${more} credits`);
      await change(tenantId, { seats: 1 });
      // The month ends while nobody has told of the renewal.
      billing.clock.pass(HOUR_MS + 1_000);
      assert.equal((await granted(tenantId)) - before, more, 'it waits for the end of what was paid');
      await billing.tenants.grants.endDue();
      assert.equal((await granted(tenantId)) - before, more + 750);
      await billing.pass(0);
      assert.equal((await granted(tenantId)) - before, more + 750);
    });

    test('seats of the last minutes bring no month of credits that is not paid', async () => {
      const tenantId = await subscribed(6);
      await billing.pass((await periodEnd(tenantId)) - billing.clock.now() - 180_000);
      await change(tenantId, { seats: 10_000 });
      assert.deepEqual(await billing.planOf(tenantId), ['team', 10_000]);
      const before = await granted(tenantId);
      await useCard(tenantId, 'declines');
      // The month begins in the ledger first, then the provider tells of the renewal and of its failure.
      billing.clock.pass(181_000);
      await billing.tenants.grants.endDue();
      await granted(tenantId);
      await billing.pass(0);
      assert.equal((await granted(tenantId)) - before, 6 * 750);
      assert.deepEqual(await billing.planOf(tenantId), ['team', 6], 'as many as were paid for a month');
      await useCard(tenantId, 'ok');
      await billing.pass(3 * DAY_MS);
      assert.deepEqual(await billing.planOf(tenantId), ['team', 10_000]);
      const share = ((await granted(tenantId)) - before) / (10_000 * 750);
      assert.ok(share > 0.85 && share < 0.95, `${share} of a month`);
    });

    test('a cancelled plan brings no month more, while its end is not told yet', async () => {
      const tenantId = await subscribed(4);
      await change(tenantId, { cancel_at_period_end: true });
      const before = await granted(tenantId);
      billing.clock.pass((await periodEnd(tenantId)) - billing.clock.now() + 1_000);
      assert.equal(await granted(tenantId), before);
      await billing.tenants.grants.endDue();
      assert.equal(await granted(tenantId), before + 100, 'the free plan follows');
      await billing.pass(0);
      assert.equal(await granted(tenantId), before + 100);
    });

    test('going back and forth between months and years brings nothing', async () => {
      const tenantId = await subscribed(4);
      const before = await granted(tenantId);
      for (let round = 0; round < 4; round += 1) {
        await billing.pass(2 * DAY_MS);
        await change(tenantId, { interval: round % 2 ? 'month' : 'year' });
      }
      const days = 8;
      const more = (await granted(tenantId)) - before;
      const due = (4 * 750 * days) / 30;
      assert.ok(more > due * 0.9 && more < due * 1.2, `${more} instead of ${due} credits`);
      const { balance, monthly } = await billing.credits.look(tenantId, '');
      assert.ok(balance >= monthly, `${balance} of ${monthly} credits`);
    });

    test('a plan that begins on the day of the registration brings all its credits', async () => {
      const tenantId = await billing.tenant();
      await billing.credits.look(tenantId, '');
      billing.clock.pass(5 * HOUR_MS);
      const page = await billing.ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', '/checkout', {
        plan: 'indie',
      });
      await billing.happening(() => billing.server.completeCheckout(page.body.checkout_id));
      assert.equal(await granted(tenantId), 500);
      await change(tenantId, { plan: 'team', seats: 2 });
      assert.equal(await granted(tenantId), 1_500);
      const { periodEndMs } = await billing.credits.look(tenantId, '');
      assert.equal(periodEndMs, await periodEnd(tenantId));
    });
  });
});
