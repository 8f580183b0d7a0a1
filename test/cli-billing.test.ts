import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Kysely } from 'kysely';
import { tablesOf } from '../src/frame/assemble.ts';
import type { BillingTables } from '../src/people/billing/billing.tables.ts';
import { billingModule } from '../src/people/billing/index.ts';
import { openSqlite } from '../src/platform/database/adapters/sqlite-database.ts';
import { cliWorld } from './support/cli.ts';
import { startPaymentServer } from './support/payments/payment-server.ts';

async function start(t: TestContext) {
  const world = cliWorld(t);
  const server = await startPaymentServer();
  t.after(() => server.close());
  const env = {
    BILLING_API_KEY: server.apiKey,
    BILLING_API_BASE: server.url,
    PUBLIC_URL: 'https://canonry.example.com',
  };
  const run = (...args: string[]) => world.runWith({ env }, 'billing', ...args);
  return { world, server, env, run };
}

test('setup says what it would do, does it once, and repairs what was changed', async (t) => {
  const { server, run } = await start(t);
  const planned = await run('setup', '--dry-run');
  assert.equal(planned.code, 0, planned.err);
  assert.match(planned.out, /create +plan_team +19.00 EUR a month, 190.00 EUR a year, for each seat/);
  assert.match(planned.out, /create +webhook +https:\/\/canonry.example.com\/api\/billing\/webhook/);
  assert.match(planned.out, /Nothing was changed/);
  assert.equal(server.state.products.size + server.state.endpoints.size, 0);

  const done = await run('setup');
  assert.equal(done.code, 0, done.err);
  const [endpoint] = server.state.endpoints.values();
  assert.ok(endpoint?.secret);
  assert.match(done.out, new RegExp(`BILLING_WEBHOOK_SECRET=${endpoint.secret}`));
  assert.deepEqual([server.state.products.size, server.state.prices.size], [5, 7]);

  const changesBefore = server.requests.filter(({ method }) => method !== 'GET').length;
  const again = await run('setup', '--json');
  const { products, webhook, webhook_secret } = again.json<{
    products: { step: string }[];
    webhook: { step: string };
    webhook_secret: string | null;
  }>();
  assert.deepEqual(new Set(products.map(({ step }) => step)), new Set(['keep']));
  assert.deepEqual([webhook.step, webhook_secret], ['keep', null]);
  assert.equal(server.requests.filter(({ method }) => method !== 'GET').length, changesBefore);

  endpoint.status = 'disabled';
  endpoint.enabled_events = ['invoice.paid', 'payout.paid'];
  for (const price of server.state.prices.values()) if (price.unit_amount === 900) price.active = false;
  const repaired = await run('setup');
  assert.match(repaired.out, /changed +plan_indie/);
  assert.match(repaired.out, /changed +webhook/);
  assert.equal(endpoint.status, 'enabled');
  assert.ok(endpoint.enabled_events.includes('payout.paid'), 'what others asked for stays');
  assert.equal(endpoint.enabled_events.length, 10);
  assert.equal(server.state.products.size, 5);
});

test('setup without a key, with a wrong one, and with a wrong address', async (t) => {
  const { world, server, env, run } = await start(t);
  const none = await world.run('billing', 'setup');
  assert.deepEqual([none.code, /BILLING_API_KEY/.test(none.err)], [2, true]);
  const wrong = await world.runWith(
    { env: { ...env, BILLING_API_KEY: 'sk_test_wrong' } },
    'billing',
    'setup',
  );
  assert.equal(wrong.code, 2);
  assert.doesNotMatch(wrong.err, /sk_test_wrong|\n {4}at /);
  assert.equal((await run('setup', '--webhook-url', 'nonsense')).code, 2);
  assert.equal(server.state.products.size, 0);
});

test('status says what is missing, events what arrived', async (t) => {
  const { world, server, env, run } = await start(t);
  await world.run('migrate');
  const database = openSqlite(`${world.dataDir}/canonry.db`);
  await database.migrate(tablesOf([billingModule]));
  await database.close();

  const bare = await world.run('billing', 'status');
  assert.equal(bare.code, 1);
  assert.match(bare.err, /BILLING_API_KEY is not set/);
  const empty = await run('status');
  assert.equal(empty.code, 1);
  assert.match(empty.err, /The product plan_indie is not on sale/);
  assert.match(empty.err, /sends no events to https:\/\/canonry.example.com/);
  assert.match(empty.err, /BILLING_WEBHOOK_SECRET is not set/);

  await run('setup');
  const [endpoint] = server.state.endpoints.values();
  const all = { ...env, BILLING_WEBHOOK_SECRET: endpoint?.secret ?? '' };
  const fine = await world.runWith({ env: all }, 'billing', 'status');
  assert.equal(fine.code, 0, fine.err);
  assert.match(fine.out, /Nothing is missing/);

  const filled = openSqlite(`${world.dataDir}/canonry.db`);
  await filled.system.write((db: Kysely<BillingTables>) =>
    db
      .insertInto('billing_events')
      .values({
        event_id: 'evt_1',
        type: 'checkout.session.completed',
        created_at: 1,
        received_at: Date.now(),
        outcome: 'held',
        tenant_id: null,
        object_id: 'cs_1',
        note: 'cs_1 is held and nothing was booked',
        payload: '{}',
      })
      .execute(),
  );
  await filled.close();
  if (endpoint) endpoint.status = 'disabled';
  const held = await world.runWith({ env: all }, 'billing', 'status', '--json');
  const { findings, held_events } = held.json<{ findings: string[]; held_events: number }>();
  assert.equal(held_events, 1);
  assert.match(findings.join('\n'), /is disabled[\s\S]*1 event of the last 30 days is held/);
  const events = await world.run('billing', 'events', '--outcome', 'held');
  assert.match(events.out, /Z +checkout.session.completed +held +evt_1 +cs_1 is held/);
  assert.match((await world.run('billing', 'events', '--outcome', 'lost')).err, /use one of applied/);
  const none = await world.run('billing', 'events', '--type', 'invoice.paid', '--json');
  assert.deepEqual(none.json(), { events: [] });
});
