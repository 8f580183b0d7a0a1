import { createCheckoutStore } from './checkouts.store.ts';
import type { BillingContext } from './context.ts';
import { lockOfTenant } from './locks.ts';
import { IS_LIVE } from './subscription-states.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';

/** Before a tenant is removed: nobody pays for it any more. Rejects, to be repeated, while the provider does not answer. */
export function createTenantEnd({ database, payments, log }: BillingContext) {
  const store = createSubscriptionStore(database.system);
  const checkouts = createCheckoutStore(database.system);

  async function endAtProvider(tenantId: string): Promise<void> {
    const rows = (await store.of(tenantId)).filter(({ state }) => IS_LIVE[state] || state === 'incomplete');
    if (payments === null) {
      for (const { subscription_id: id } of rows)
        log.error(
          `tenant ${tenantId} is removed, but nobody could end its subscription ${id} without BILLING_API_KEY: end it at the provider`,
        );
      return;
    }
    for (const { checkout_id, status } of await checkouts.of(tenantId))
      if (status === 'open') await payments.closeCheckout(checkout_id);
    const customerId = await store.customerOf(tenantId);
    const theirs = customerId === null ? [] : await payments.subscriptionsOf(customerId);
    const ids = new Set([
      ...rows.map(({ subscription_id }) => subscription_id),
      ...theirs.filter(({ endedAt }) => endedAt === null).map(({ subscriptionId }) => subscriptionId),
    ]);
    for (const id of ids) await payments.endSubscription(id);
  }

  return (tenantId: string): Promise<void> =>
    database.system.exclusive(lockOfTenant(tenantId), async () => {
      await endAtProvider(tenantId);
      await store.removeTenant(tenantId);
    });
}
