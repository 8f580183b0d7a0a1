import type { Config } from '../kit/config/index.ts';
import type { PaymentEvents, Payments } from '../platform/payments/payments.ts';

/** Null without `BILLING_API_KEY`: the library is loaded only with it. */
export async function openPayments(
  config: Pick<Config, 'billingApiKey' | 'billingApiBase'>,
): Promise<Payments | null> {
  const { billingApiKey: apiKey, billingApiBase: apiBase } = config;
  if (apiKey === null) return null;
  const { createStripePayments } = await import('../platform/payments/adapters/stripe-payments.ts');
  return createStripePayments({ apiKey, apiBase });
}

/** Null without `BILLING_WEBHOOK_SECRET`. */
export async function openPaymentEvents(
  config: Pick<Config, 'billingWebhookSecret'>,
): Promise<PaymentEvents | null> {
  const { billingWebhookSecret: secret } = config;
  if (secret === null) return null;
  const { createStripeEvents } = await import('../platform/payments/adapters/stripe-events.ts');
  return createStripeEvents({ secret });
}
