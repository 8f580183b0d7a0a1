import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type BillingSetup, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const FRESH_MS = 5 * 60_000;

interface Prices {
  configured: boolean;
  source: string;
  as_of: string | null;
  currency: string | null;
  plans: { plan: string; per_seat: boolean; prices: { amount: number; interval: string }[] }[];
  blocks: { block: string; credits: number; amount: number }[];
}

interface Status {
  provider: string;
  configured: boolean;
  webhook_configured: boolean;
  customer: boolean;
  over_limits: object[];
}

forEachDatabase((_name, open) => {
  describe('prices', () => {
    async function start(t: TestContext, setup: Partial<BillingSetup> = {}) {
      const billing = await startBilling({ open, timeoutMs: 5_000, ...setup });
      t.after(() => billing.close());
      return billing;
    }
    const timed = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
      const begun = performance.now();
      const result = await work();
      return [result, performance.now() - begun];
    };

    test('come from the products, once every five minutes', async (t) => {
      const billing = await start(t);
      const ask = () => billing.ask<Prices>(null, 'GET', '/prices');
      const begun = billing.server.requests.length;
      const [{ body }] = await Promise.all([ask(), ask(), ask()]);
      assert.deepEqual([body.configured, body.source, body.currency], [true, 'provider', 'eur']);
      assert.deepEqual(
        body.plans.map(({ plan, per_seat, prices }) => [plan, per_seat, prices.map(({ amount }) => amount)]),
        [
          ['free', false, []],
          ['indie', false, [900, 9000]],
          ['team', true, [1900, 19_000]],
          ['enterprise', false, []],
        ].map(([plan, seat, amounts]) => [plan, seat, amounts]),
      );
      const asked = billing.server.requests.length - begun;
      assert.equal(asked, 2, 'products and prices, once for all three');
      billing.clock.pass(FRESH_MS - 1);
      await ask();
      assert.equal(billing.server.requests.length - begun, asked);
      billing.clock.pass(1);
      await ask();
      assert.equal(billing.server.requests.length - begun, 2 * asked);
      const blocks = await billing.ask<Prices>('viewer:t', 'GET', '/token-blocks');
      assert.deepEqual(
        blocks.body.blocks.map(({ block, credits, amount }) => [block, credits, amount]),
        [
          ['credits_500', 500, 500],
          ['credits_2000', 2000, 1800],
          ['credits_10000', 10_000, 8000],
        ],
      );
    });

    test('a provider that hangs or is away: the last known ones in time, also after a restart', async (t) => {
      const billing = await start(t);
      await billing.ask(null, 'GET', '/prices');
      for (const connection of ['silent', 'reset'] as const) {
        billing.server.faults.next({ connection, times: 100 });
        const restarted = await billing.another();
        const ask = async () => {
          const response = await fetch(`${restarted.url}/api/billing/prices`);
          return (await response.json()) as Prices;
        };
        const [first, firstMs] = await timed(ask);
        assert.deepEqual([first.source, first.plans[1]?.prices[0]?.amount], ['cache', 900]);
        assert.ok(first.as_of);
        assert.ok(firstMs < 2_000, `${firstMs} ms`);
        billing.server.faults.clear();
      }
    });

    test('a provider that was never reached: the plans without prices', async (t) => {
      const billing = await start(t);
      billing.server.faults.next({ status: 500, times: 100 });
      const { status, body } = await billing.ask<Prices>(null, 'GET', '/prices');
      assert.deepEqual([status, body.source, body.plans.length], [200, 'none', 4]);
      assert.deepEqual(
        body.plans.flatMap(({ prices }) => prices),
        [],
      );
      const tenantId = await billing.tenant();
      const refused = await billing.ask(`owner:${tenantId}`, 'POST', '/checkout', { plan: 'indie' });
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '10']);
    });

    test('a wrong key is told to the operator alone', async (t) => {
      const billing = await start(t);
      const errors = billing.expectErrors(/BILLING_API_KEY/);
      billing.server.faults.next({ status: 401, times: 100 });
      const tenantId = await billing.tenant();
      const refused = await billing.ask(`owner:${tenantId}`, 'POST', '/checkout', { plan: 'indie' });
      assert.equal(refused.status, 503);
      assert.doesNotMatch(JSON.stringify(refused.body), /sk_|demand/);
      assert.equal(errors.length, 1);
    });

    test('nothing on sale', async (t) => {
      const billing = await start(t, { sold: false });
      const tenantId = await billing.tenant();
      const owner = `owner:${tenantId}`;
      const plan = await billing.ask(owner, 'POST', '/checkout', { plan: 'indie' });
      assert.deepEqual([plan.status, plan.body.code], [409, 'not_for_sale']);
      const block = await billing.ask(owner, 'POST', '/purchase-tokens', { block: 'credits_500' });
      assert.deepEqual([block.status, block.body.code], [404, 'block_not_found']);
    });

    test('the status answers in time, whatever the provider does', async (t) => {
      const billing = await start(t);
      const tenantId = await billing.tenant();
      billing.members.set(tenantId, 3);
      const ask = () => billing.ask<Status>(`viewer:${tenantId}`, 'GET', '/status');
      const { body } = await ask();
      assert.deepEqual(
        [body.configured, body.webhook_configured, body.provider, body.customer],
        [true, true, 'ok', false],
      );
      assert.equal(body.over_limits.length, 1);
      billing.clock.pass(31_000);
      billing.server.faults.next({ connection: 'silent', times: 100 });
      const [down, ms] = await timed(ask);
      assert.equal(down.body.provider, 'down');
      assert.ok(ms < 2_500, `${ms} ms`);
    });
  });
});
