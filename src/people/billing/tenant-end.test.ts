import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Billing, startBilling } from '../../../test/support/billing.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { SentEvent } from '../../../test/support/payments/deliveries.ts';
import { isoTime } from '../../kit/clock.ts';

const HOUR_MS = 3_600_000;

forEachDatabase((_name, open) => {
  describe('a tenant whose access ends', () => {
    let billing: Billing;
    let alarms: string[];
    before(async () => {
      billing = await startBilling({ open });
      alarms = billing.expectErrors(/which is gone; pay it back/);
    });
    after(() => billing.close());

    /** Opens a page and returns its id. */
    async function order(tenantId: string, path: string, body: object): Promise<string> {
      const page = await billing.ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', path, body);
      assert.equal(page.status, 200, page.body.detail);
      return page.body.checkout_id;
    }
    const subscribe = (tenantId: string) => order(tenantId, '/checkout', { plan: 'indie' });
    const buyCredits = (tenantId: string) => order(tenantId, '/purchase-tokens', { block: 'credits_500' });
    const endAccess = ({ tenants, clock }: Billing, tenantId: string) =>
      tenants.setDeletion(tenantId, isoTime(clock.now()));
    const subscriptionAt = (checkoutId: string) => {
      const id = billing.server.state.checkouts.get(checkoutId)?.subscription ?? '';
      return billing.server.state.subscriptions.get(id);
    };
    async function outcomeOf(sent: SentEvent) {
      const [delivered] = await billing.server.deliver(billing.webhookUrl, {}, [sent]);
      assert.equal(delivered?.status, 200);
      const row = (await billing.rows('billing_events')).find(({ event_id }) => event_id === sent.id);
      return { outcome: row?.outcome, note: row?.note ?? '' };
    }

    test('can be charged no more, once the provider answers', async () => {
      const { server } = billing;
      const tenantId = await billing.tenant();
      const paid = await subscribe(tenantId);
      server.completeCheckout(paid);
      await server.deliver(billing.webhookUrl);
      const unpaid = await buyCredits(tenantId);
      await endAccess(billing, tenantId);
      server.faults.next({ match: /DELETE/, status: 500 });
      await assert.rejects(billing.stopPayments(tenantId), { name: 'PaymentsError' });
      await billing.stopPayments(tenantId);
      assert.equal(subscriptionAt(paid)?.status, 'canceled');
      assert.equal(server.state.checkouts.get(unpaid)?.status, 'expired');
      const before = server.requests.length;
      await billing.stopPayments(tenantId);
      assert.equal(server.requests.length, before, 'nothing goes on, so nobody is asked');
    });

    test('has a subscription ended that began a moment before', async () => {
      const tenantId = await billing.tenant();
      const paid = await subscribe(tenantId);
      billing.server.completeCheckout(paid);
      await endAccess(billing, tenantId);
      await billing.stopPayments(tenantId);
      assert.equal(subscriptionAt(paid)?.status, 'canceled');
    });

    test('gets nothing for what is paid then: it is held, with what has to be paid back', async () => {
      const { server } = billing;
      const tenantId = await billing.tenant();
      const start = server.events.length;
      const [plan, credits] = [await subscribe(tenantId), await buyCredits(tenantId)];
      for (const id of [plan, credits]) server.completeCheckout(id);
      const made = (type: string) => server.events.slice(start).filter((event) => event.type === type);
      const [ofPlan, ofCredits] = made('checkout.session.completed');
      const [invoice] = made('invoice.paid');
      const session = server.state.checkouts.get(credits);
      assert.ok(ofPlan && ofCredits && invoice && session);
      await endAccess(billing, tenantId);

      session.payment_status = 'unpaid';
      const transfer = server.makeEvent('checkout.session.completed', { ...session });
      assert.equal((await outcomeOf(transfer)).outcome, 'unknown_customer', 'nobody paid yet');
      assert.equal(alarms.length, 0);
      session.payment_status = 'paid';
      const once = `. The first payment for ${subscriptionAt(plan)?.id} is held twice, as its checkout and as its invoice: pay it back once`;
      for (const [event, id, sum, rest] of [
        [ofCredits, credits, '5.00 EUR', ''],
        [ofPlan, plan, '9.00 EUR', once],
        [invoice, String(invoice.event.data.object.id), '9.00 EUR', once],
      ] as const) {
        const { outcome, note } = await outcomeOf(event);
        assert.equal(outcome, 'held', event.type);
        assert.equal(
          note,
          `${id} is held: ${sum} was paid for tenant ${tenantId}, which is gone; pay it back${rest}`,
        );
        assert.ok(alarms.at(-1)?.includes(note), alarms.at(-1));
      }
      assert.equal(alarms.length, 3);
      const booked = await billing.rows('test_bookings');
      assert.equal(
        booked.some((row) => row.tenant_id === tenantId),
        false,
      );
    });

    test('has a payment told once whose event was lost', async () => {
      const tenantId = await billing.tenant();
      const paid = await buyCredits(tenantId);
      billing.server.completeCheckout(paid);
      await endAccess(billing, tenantId);
      await billing.stopPayments(tenantId);
      for (let count = 0; count < 2; count += 1) {
        billing.clock.pass(2 * HOUR_MS);
        await billing.upkeep();
      }
      const about = alarms.filter((alarm) => alarm.includes(`${paid} is held: 5.00 EUR`));
      assert.equal(about.length, 1, alarms.join('\n'));
    });
  });
});
