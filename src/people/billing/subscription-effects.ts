import { isPlanName } from '../../access/plans.ts';
import type { PaidSubscription, PaymentEvent } from '../../platform/payments/payments.ts';
import { type Effect, type EffectTools, noEffect, type Outcome, ownersOf } from './effects.ts';
import { trialEndingMail } from './mails.ts';
import type { Offer } from './products.service.ts';
import type { SubscriptionSignal } from './subscription-states.ts';
import type { Recorded, Told } from './subscriptions.service.ts';
import { changeSubscriptionRow, createSubscriptionStore } from './subscriptions.store.ts';

export interface Heard {
  /** As the event has it; null if the event names it alone. */
  subscription: PaidSubscription | null;
  subscriptionId: string;
  /** From the checkout, for subscriptions that others made. */
  tenantId?: string | undefined;
  /** When the event was made. */
  atMs: number;
  signals?: readonly SubscriptionSignal[];
}

/** Either what to record, or why nothing is, such as for a tenant that is gone. */
export type Understood = { told: Told } | { refusal: Effect; goneTenantId?: string };

/** The present state of a subscription, and its tenant: asked of the provider if there is a key. Rejects while it does not answer. */
export function createHearing({ context, products }: EffectTools) {
  const { payments, database, clock } = context;
  const store = createSubscriptionStore(database.system);

  /** A customer belongs to one tenant: metadata that says otherwise is a mistake for an operator. */
  async function tenantFor(
    { metadata, customerId }: PaidSubscription,
    fallback: string | undefined,
  ): Promise<{ tenantId: string | null; isDisputed: boolean }> {
    const known = await store.tenantOfCustomer(customerId);
    const named = metadata.tenant_id ?? fallback ?? null;
    return { tenantId: named ?? known, isDisputed: known !== null && named !== null && known !== named };
  }

  /** An offer that is no longer on sale goes on for those who have it. */
  async function offerBefore({ subscriptionId, priceId, metadata }: PaidSubscription): Promise<Offer | null> {
    const row = await store.byId(subscriptionId);
    const plan = row?.price_id === priceId ? row.plan : metadata.plan;
    return isPlanName(plan) ? { plan, isPerSeat: row?.is_per_seat === 1 || plan === 'team' } : null;
  }

  return async function hear(heard: Heard): Promise<Understood> {
    const { subscriptionId, atMs, signals = [] } = heard;
    const current = payments === null ? heard.subscription : await payments.subscription(subscriptionId);
    if (current === null)
      return { refusal: noEffect('held', `the provider knows no subscription ${subscriptionId}`) };
    const { tenantId, isDisputed } = await tenantFor(current, heard.tenantId);
    if (isDisputed)
      return { refusal: noEffect('held', `${subscriptionId} names another tenant than its customer's`) };
    const owners = tenantId === null ? null : await ownersOf(context, tenantId);
    if (tenantId === null || owners === null)
      return {
        refusal: noEffect('unknown_customer', `no tenant for customer ${current.customerId}`),
        ...(tenantId !== null && { goneTenantId: tenantId }),
      };
    const offer = (await products.offerOf(current)) ?? (await offerBefore(current));
    if (offer === null)
      return { refusal: noEffect('ignored', `${current.productId} is no plan of ours`, tenantId) };
    const isFetched = payments !== null;
    return {
      told: {
        tenantId,
        subscription: current,
        offer,
        owners,
        atMs: isFetched ? clock.now() : atMs,
        isFetched,
        signals,
      },
    };
  };
}

export type Hear = ReturnType<typeof createHearing>;

export const outcomeOf = ({ outcome, seconds }: Recorded, tenantId: string): Outcome => ({
  outcome,
  ...(outcome === 'stale' && { note: 'a later event was here before' }),
  ...(seconds.length > 0 && {
    alarm: `tenant ${tenantId} has a second subscription, which gives nothing: ${seconds.join(', ')}`,
  }),
});

const ENDED: readonly SubscriptionSignal[] = ['is_ended'];

export function createSubscriptionEffects({ context, subscriptions }: EffectTools, hear: Hear) {
  return async function prepare(event: PaymentEvent, subscription: PaidSubscription): Promise<Effect> {
    const { type, createdAt: atMs } = event;
    const understood = await hear({
      subscription,
      subscriptionId: subscription.subscriptionId,
      atMs,
      ...(type === 'customer.subscription.deleted' && context.payments === null && { signals: ENDED }),
    });
    if ('refusal' in understood) return understood.refusal;
    const { told } = understood;
    const { tenantId, owners } = told;
    return {
      tenantId,
      async apply(db) {
        const recorded = await subscriptions.record(db, told);
        const { row } = recorded;
        if (type === 'customer.subscription.trial_will_end' && row?.state === 'trialing' && row.trial_end) {
          await changeSubscriptionRow(db, row.subscription_id, { trial_told_at: context.clock.now() });
          await subscriptions.mail(
            db,
            owners,
            trialEndingMail(owners.tenantName, row.trial_end, subscriptions.page),
          );
        }
        return outcomeOf(recorded, tenantId);
      },
    };
  };
}
