import type { PaymentEvent } from '../../platform/payments/payments.ts';

/** One at a time asks the provider for a subscription and stores the answer, so that no older answer comes after a newer one. */
export const lockOfSubscription = (subscriptionId: string): string =>
  `billing subscription ${subscriptionId}`;

/** One at a time decides what a tenant has. Whoever holds it waits for no other lock of billing. */
export const lockOfTenant = (tenantId: string): string => `billing tenant ${tenantId}`;

/** A change and its repeats by one key follow each other. Taken before the lock of the subscription. */
export const lockOfChange = (tenantId: string, requestKey: string): string =>
  `billing change ${tenantId} ${requestKey}`;

export const lockOfCheckout = (checkoutId: string): string => `billing checkout ${checkoutId}`;

export function lockOf({ eventId, object }: PaymentEvent): string {
  const subscriptionId =
    object.kind === 'subscription'
      ? object.subscription.subscriptionId
      : object.kind === 'invoice'
        ? object.invoice.subscriptionId
        : object.kind === 'checkout'
          ? object.checkout.subscriptionId
          : null;
  if (subscriptionId !== null) return lockOfSubscription(subscriptionId);
  if (object.kind === 'checkout') return lockOfCheckout(object.checkout.checkoutId);
  return `billing event ${eventId}`;
}
