import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { type Billing, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { TenantTables } from '../tenants/tenants.tables.ts';
import type { BillingTables, SubscriptionRow } from './billing.tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More than one pass takes: of those that the provider is asked about, and of all others. */
const MANY = { asked: 60, other: 110 };

forEachDatabase((_name, open) => {
  describe('many that always fail keep no other from its turn', () => {
    let billing: Billing;
    before(async () => {
      billing = await startBilling({ open });
    });
    after(() => billing.close());

    const insert = <Name extends keyof BillingTables>(table: Name, rows: readonly BillingTables[Name][]) =>
      billing.opened.database.system.write(async (db: Kysely<BillingTables>) => {
        await db
          .insertInto(table)
          .values(rows as never)
          .execute();
      });
    const refuseBad = (match: RegExp) =>
      billing.server.faults.next({ match, status: 400, times: Number.POSITIVE_INFINITY });
    const many = <Row>(length: number, make: (id: string) => Row): Row[] =>
      Array.from({ length }, (_, index) => make(`bad_${index}`));

    async function twoPasses(): Promise<void> {
      for (let count = 0; count < 2; count += 1) {
        billing.clock.pass(20_000);
        // Failures are told in the end.
        await billing.upkeep().catch(() => {});
      }
    }

    /** Starts with a subscription whose events arrived. */
    async function subscribed(): Promise<{ tenantId: string; row: SubscriptionRow }> {
      const tenantId = await billing.tenant();
      const start = billing.server.events.length;
      const page = await billing.ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', '/checkout', {
        plan: 'indie',
      });
      billing.server.completeCheckout(page.body.checkout_id);
      await billing.server.deliver(billing.webhookUrl, {}, billing.server.events.slice(start));
      return { tenantId, row: await rowOf(tenantId) };
    }

    async function rowOf(tenantId: string): Promise<SubscriptionRow> {
      const row = (await billing.rows('billing_subscriptions')).find((each) => each.tenant_id === tenantId);
      assert.ok(row);
      return row;
    }

    async function leave(): Promise<void> {
      billing.server.faults.clear();
      await billing.opened.database.system.write(async (db: Kysely<BillingTables>) => {
        await db.deleteFrom('billing_subscriptions').where('subscription_id', 'like', 'bad_%').execute();
        await db.deleteFrom('billing_checkouts').where('checkout_id', 'like', 'bad_%').execute();
      });
    }

    test('subscriptions that the provider is asked about', async (t) => {
      t.after(leave);
      const { tenantId, row } = await subscribed();
      await insert(
        'billing_subscriptions',
        many(MANY.asked, (id) => ({ ...row, subscription_id: id, tenant_id: 'bad', looked_at: 0 })),
      );
      refuseBad(/GET \/v1\/subscriptions\/bad_/);
      billing.server.endAtPortal(row.subscription_id);
      billing.clock.pass(32 * DAY_MS);
      await twoPasses();
      assert.equal((await rowOf(tenantId)).state, 'ended');
    });

    test('pages that the provider is asked about', async (t) => {
      t.after(leave);
      const tenantId = await billing.tenant();
      const page = await billing.ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', '/checkout', {
        plan: 'indie',
      });
      const id = page.body.checkout_id;
      billing.server.completeCheckout(id);
      const row = (await billing.rows('billing_checkouts')).find(({ checkout_id }) => checkout_id === id);
      assert.ok(row);
      await insert(
        'billing_checkouts',
        many(MANY.asked, (bad) => ({ ...row, checkout_id: bad, tenant_id: 'bad', looked_at: 0 })),
      );
      refuseBad(/GET \/v1\/checkout\/sessions\/bad_/);
      billing.clock.pass(2 * HOUR_MS);
      await twoPasses();
      assert.equal((await rowOf(tenantId)).state, 'active');
    });

    test('second subscriptions that are to be ended', async (t) => {
      t.after(leave);
      billing.expectErrors(/second subscription/);
      const { row } = await subscribed();
      const mine = billing.server.state.subscriptions.get(row.subscription_id);
      assert.ok(mine);
      const twin = { ...structuredClone(mine), id: 'sub_twin', created: mine.created + 60 };
      billing.server.state.subscriptions.set(twin.id, twin);
      const event = billing.server.makeEvent('customer.subscription.created', { ...twin });
      await insert(
        'billing_subscriptions',
        many(MANY.other, (id) => ({
          ...row,
          subscription_id: id,
          tenant_id: 'bad',
          is_extra: 1,
          looked_at: 0,
        })),
      );
      refuseBad(/DELETE \/v1\/subscriptions\/bad_/);
      await billing.server.deliver(billing.webhookUrl, {}, [event]);
      await twoPasses();
      assert.equal(billing.server.state.subscriptions.get(twin.id)?.status, 'canceled');
    });

    const overdue = (row: SubscriptionRow): SubscriptionRow => ({
      ...row,
      state: 'past_due',
      unpaid_since: billing.clock.now() - 15 * DAY_MS,
      grace_ends_at: billing.clock.now() - DAY_MS,
    });
    /** In place of the row of a subscription. */
    async function letOwe(row: SubscriptionRow): Promise<void> {
      await billing.opened.database.system.write(async (db: Kysely<BillingTables>) => {
        await db
          .updateTable('billing_subscriptions')
          .set(overdue(row))
          .where('subscription_id', '=', row.subscription_id)
          .execute();
      });
    }

    test('graces that cannot end, since the tenant is damaged', async (t) => {
      t.after(leave);
      const { row } = await subscribed();
      const damaged = await billing.tenant();
      await billing.opened.database.system.write(async (db: Kysely<TenantTables>) => {
        await db
          .updateTable('tenants')
          .set({ features: 'no JSON' })
          .where('tenant_id', '=', damaged)
          .execute();
      });
      await insert(
        'billing_subscriptions',
        many(MANY.other, (id) => overdue({ ...row, subscription_id: id, tenant_id: damaged, looked_at: 0 })),
      );
      const late = await subscribed();
      await letOwe(late.row);
      await twoPasses();
      assert.equal((await rowOf(late.tenantId)).state, 'past_grace');
    });

    test('the grace of a tenant that is gone ends without a mail', async (t) => {
      t.after(leave);
      const { row } = await subscribed();
      const bad = { ...row, subscription_id: 'bad_0', tenant_id: 'gone' };
      await insert('billing_subscriptions', [overdue(bad)]);
      await billing.upkeep();
      assert.equal((await rowOf('gone')).state, 'past_grace');
      assert.deepEqual(await billing.mails('gone'), []);
    });
  });
});
