import type { Payments } from '../../platform/payments/payments.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { createCheckoutStore } from './checkouts.store.ts';
import type { BillingContext } from './context.ts';
import { lockOfTenant } from './locks.ts';
import { IS_LIVE } from './subscription-states.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';

const goesOn = ({ state }: SubscriptionRow): boolean => IS_LIVE[state] || state === 'incomplete';

/** Nobody pays for a tenant whose access has ended. Both calls reject, to be repeated, while the provider does not answer. */
export function createTenantEnd({ database, payments, clock, log }: BillingContext) {
  const { system } = database;
  const store = createSubscriptionStore(system);
  const checkouts = createCheckoutStore(system);

  const subscriptionsIn = async (tenantId: string) => (await store.of(tenantId)).filter(goesOn);
  const pagesIn = async (tenantId: string) =>
    (await checkouts.of(tenantId)).filter(({ status }) => status === 'open');

  /** A subscription that began a moment ago is known to the provider alone, so its list counts too. */
  async function endAtProvider(api: Payments, tenantId: string): Promise<void> {
    for (const { checkout_id: id } of await pagesIn(tenantId))
      if (await api.closeCheckout(id)) await checkouts.close(id);
    const customerId = await store.customerOf(tenantId);
    const theirs = customerId === null ? [] : await api.subscriptionsOf(customerId);
    const ids = new Set([
      ...(await subscriptionsIn(tenantId)).map(({ subscription_id }) => subscription_id),
      ...theirs.filter(({ endedAt }) => endedAt === null).map(({ subscriptionId }) => subscriptionId),
    ]);
    for (const id of ids) await api.endSubscription(id);
    await store.ended([...ids], clock.now());
  }

  async function tellWhatGoesOn(tenantId: string): Promise<void> {
    for (const { subscription_id: id } of await subscriptionsIn(tenantId))
      log.error(
        `tenant ${tenantId} is removed, but nobody could end its subscription ${id} without BILLING_API_KEY: end it at the provider`,
      );
  }

  return {
    /** From the end of access on. Asks the provider only if something goes on there. */
    stopPayments: (tenantId: string): Promise<void> =>
      system.exclusive(lockOfTenant(tenantId), async () => {
        if (payments === null) return;
        const goingOn = [...(await subscriptionsIn(tenantId)), ...(await pagesIn(tenantId))];
        if (goingOn.length > 0) await endAtProvider(payments, tenantId);
      }),

    /** Before the tenant is removed. */
    endTenant: (tenantId: string): Promise<void> =>
      system.exclusive(lockOfTenant(tenantId), async () => {
        await (payments === null ? tellWhatGoesOn(tenantId) : endAtProvider(payments, tenantId));
        await store.removeTenant(tenantId);
      }),
  };
}
