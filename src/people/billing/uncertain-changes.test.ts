import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Billing, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Subscription } from '../../../test/support/payments/objects.ts';

const DAY_MS = 24 * 3_600_000;

interface Shown {
  status: string;
  seats: number;
  next_period: { plan: string; seats: number } | null;
  current_period_end: string;
}

forEachDatabase((_name, open) => {
  describe('a change while it is not certain what is paid for', () => {
    let billing: Billing;
    before(async () => {
      billing = await startBilling({ open });
    });
    after(() => billing.close());

    async function subscribed(body: object, card: 'ok' | 'declines' = 'ok'): Promise<string> {
      const tenantId = await billing.tenant();
      await billing.subscribe(tenantId, body, card);
      return tenantId;
    }
    const change = (tenantId: string, body: object) =>
      billing.ask<Shown>(`owner:${tenantId}`, 'PUT', '/subscription', body);
    const read = async (tenantId: string) =>
      (await billing.ask<Shown>(`viewer:${tenantId}`, 'GET', '/subscription')).body;
    function theirs(tenantId: string): Subscription {
      const all = [...billing.server.state.subscriptions.values()];
      const found = all.find(({ metadata }) => metadata.tenant_id === tenantId);
      return found ?? assert.fail('no subscription');
    }

    test('while a payment is missing, nothing is charged or credited, and less may be ordered', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 9, interval: 'year' }, 'declines');
      await billing.pass(366 * DAY_MS);
      const { customer } = theirs(tenantId);
      for (const state of ['past_due', 'past_grace']) {
        assert.equal((await read(tenantId)).status, state);
        for (const body of [{ interval: 'month' }, { seats: 10 }]) {
          const refused = await change(tenantId, body);
          assert.deepEqual([refused.status, refused.body.code], [409, 'payment_missing']);
        }
        billing.clock.pass(14 * DAY_MS);
        await billing.upkeep();
      }
      assert.equal(billing.server.state.customers.get(customer)?.balance, 0);
      const less = await change(tenantId, { seats: 2 });
      assert.equal(less.status, 200, less.body.detail);
    });

    test('at the end of a period, nothing is ordered that would be free in the next one too', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 10 });
      await billing.happening(() => change(tenantId, { seats: 1 }));
      const endMs = Date.parse((await read(tenantId)).current_period_end);
      await billing.pass(endMs - billing.clock.now() - 60_000);
      for (const seats of [10, 2, 11]) {
        const refused = await change(tenantId, { seats });
        assert.deepEqual([refused.status, refused.body.code], [409, 'period_ending'], `${seats} seats`);
      }
      assert.equal((await change(tenantId, { cancel_at_period_end: true })).status, 200);
      assert.equal((await change(tenantId, { cancel_at_period_end: false })).status, 200);
      await billing.pass(61_000);
      const more = await billing.happening(() => change(tenantId, { seats: 10 }));
      assert.deepEqual([more.status, more.body.seats], [200, 10]);
    });

    test('a provider that refuses more, for whatever reason, leaves less ordered for the next period', async () => {
      const tenantId = await subscribed({ plan: 'team', seats: 5 });
      await billing.happening(() => change(tenantId, { seats: 2 }));
      const { id } = theirs(tenantId);
      const posts = { match: new RegExp(`POST /v1/subscriptions/${id}`) };
      for (const status of [400, 429]) {
        // The first call, back to what is paid for, is answered.
        billing.server.faults.next({ ...posts, delayMs: 1 });
        billing.server.faults.next({ ...posts, status });
        const refused = await billing.happening(() => change(tenantId, { seats: 9 }));
        assert.equal(refused.status, status === 400 ? 409 : 503);
        billing.server.faults.clear();
        assert.equal(theirs(tenantId).items.data[0]?.quantity, 2);
        assert.deepEqual((await read(tenantId)).next_period, { plan: 'team', seats: 2 });
      }
    });
  });
});
