import type Stripe from 'stripe';
import { metadataIn } from './json.ts';
import type { StripeCaller } from './stripe-client.ts';

const MARK = { name: 'canonry_portal', version: '1' };

/** Plans and seats are changed here alone, where a change knows what is paid for already. */
const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['name', 'email', 'address', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
};

/** The provider's configuration of our portal; made when it is not there. */
export async function portalConfiguration({ call, all }: StripeCaller): Promise<string> {
  const found = await all((stripe, page) =>
    stripe.billingPortal.configurations.list({ ...page, active: true }),
  );
  const ours = found.find(({ metadata }) => isMarked(metadata));
  if (typeof ours?.id === 'string') return ours.id;
  const made = await call((stripe) =>
    stripe.billingPortal.configurations.create(
      { features: FEATURES, metadata: { [MARK.name]: MARK.version } },
      { idempotencyKey: `portal-${MARK.version}` },
    ),
  );
  return made.id;
}

const isMarked = (metadata: unknown): boolean => metadataIn(metadata)[MARK.name] === MARK.version;
