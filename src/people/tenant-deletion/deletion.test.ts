import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountsPerson, startAccounts, type TestAccounts } from '../../../test/support/accounts.ts';
import { createRunningClock } from '../../../test/support/cloud.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { startPaymentServer } from '../../../test/support/payments/payment-server.ts';
import { until } from '../../../test/support/until.ts';
import type { RouteRequest } from '../../kit/route.ts';
import { callerHeader } from '../../kit/service-twin.ts';
import { createStripePayments } from '../../platform/payments/adapters/stripe-payments.ts';
import { CATALOG } from '../billing/catalog.ts';

const DAY_MS = 24 * 3_600_000;

/** Opens a page for a subscription, as cores ask for their callers. */
async function openPage(accounts: TestAccounts, owner: AccountsPerson): Promise<string> {
  const { id: userId, email, tenantId } = owner;
  const principal = { userId, email, tenantId, role: 'owner', tenantRole: 'owner', plan: 'free' } as const;
  const reply = await accounts.ask('POST', '/internal/billing/checkout', {
    token: accounts.serviceToken,
    headers: callerHeader({ principal, address: '127.0.0.1' } as RouteRequest),
    body: { plan: 'indie' },
  });
  assert.equal(reply.status, 200, reply.text);
  return (JSON.parse(reply.text) as { checkout_id: string }).checkout_id;
}

forEachDatabase((_name, open) => {
  test('a subscription ends with access, though the provider was away and the content is still there', async (t) => {
    const clock = createRunningClock();
    const server = await startPaymentServer({ clock });
    const shop = createStripePayments({ apiKey: server.apiKey, apiBase: server.url });
    for (const product of CATALOG) await shop.putProduct(product);
    shop.close();
    const env = { BILLING_API_KEY: server.apiKey, BILLING_API_BASE: server.url };
    const accounts = await startAccounts({ open, clock, env });
    const running = [accounts];
    t.after(async () => {
      for (const each of running.reverse()) await each.close();
      await server.close();
    });
    /** The upkeep of a process begins as it starts. */
    const restart = async () => void running.push(await accounts.another());

    const owner = await accounts.register();
    const checkoutId = await openPage(accounts, owner);
    server.completeCheckout(checkoutId);
    const statusNow = () => {
      const id = server.state.checkouts.get(checkoutId)?.subscription ?? '';
      return server.state.subscriptions.get(id)?.status;
    };
    server.faults.next({ match: /./, status: 500, times: 1_000 });
    const asked = await accounts.ask('DELETE', `/api/tenants/${owner.tenantId}`, { token: owner.token });
    assert.equal(asked.status, 200, asked.text);
    clock.pass(30 * DAY_MS + 1_000);
    const before = server.requests.length;
    await restart();
    await until(() => server.requests.length > before);
    assert.equal(statusNow(), 'active', 'the provider was away');
    server.faults.clear();
    await restart();
    await until(() => statusNow() === 'canceled');
    assert.notEqual(await accounts.users.findByEmail(owner.email), null);
  });
});
