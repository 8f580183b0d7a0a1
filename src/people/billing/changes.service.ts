import { PLANS, type PlanName } from '../../access/plans.ts';
import { isoDate } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import type { BillingInterval, SubscriptionChange } from '../../platform/payments/payments.ts';
import { addMonths } from '../credits/index.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { planPrice, seatsFor } from './checkouts.service.ts';
import { type EffectTools, ownersOf } from './effects.ts';
import { lockOfSubscription, lockOfTenant } from './locks.ts';
import { overLimits } from './over-limits.ts';
import { asking, noKey } from './payments-errors.ts';
import { currentOf } from './subscriptions.service.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';

export interface WantedChange {
  plan?: PlanName | undefined;
  interval?: BillingInterval | undefined;
  seats?: number | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
}

/** Upgrade, downgrade, seats, cancel and resume: asked of the provider, whose answer is stored at once. */
export function createChanges({ context, products, subscriptions }: EffectTools) {
  const { database, payments, clock, log } = context;
  const { system } = database;
  const store = createSubscriptionStore(system);

  async function current(tenantId: string): Promise<SubscriptionRow> {
    const row = currentOf(await store.of(tenantId));
    if (row !== null) return row;
    throw conflict('There is no subscription to change: begin one by POST /api/billing/checkout', {
      code: 'not_subscribed',
    });
  }

  async function changeFor(row: SubscriptionRow, wanted: WantedChange): Promise<SubscriptionChange> {
    const { plan = row.plan as PlanName, interval = row.interval, seats, cancelAtPeriodEnd } = wanted;
    const isElsewhere = plan !== row.plan || interval !== row.interval;
    if (interval === 'month' && row.interval === 'year') requireMonthOfYear(row, clock.now());
    const change: SubscriptionChange = cancelAtPeriodEnd === undefined ? {} : { cancelAtPeriodEnd };
    if (!isElsewhere && seats === undefined) return change;
    const { product, price } = planPrice(await products.fresh(), plan, interval);
    const asked = seatsFor(product, seats);
    // A plan for one person costs once, however many seats there were.
    const quantity = asked ?? (product.perSeat ? undefined : 1);
    return {
      ...change,
      ...(isElsewhere && { priceId: price.priceId }),
      ...(quantity !== undefined && quantity !== row.quantity && { quantity }),
    };
  }

  async function perform(tenantId: string, row: SubscriptionRow, change: SubscriptionChange, key: string) {
    if (payments === null) throw noKey();
    await payments.changeSubscription(row.subscription_id, change, key);
    // The reply to a repeated key is that of its first time, and other changes may have followed.
    const subscription = await payments.subscription(row.subscription_id);
    if (subscription === null) return;
    const offer = await products.offerOf(subscription);
    const owners = await ownersOf(context, tenantId);
    if (offer === null || owners === null) return;
    const told = { tenantId, subscription, offer, owners, atMs: clock.now(), isFetched: true };
    await system.exclusive(lockOfTenant(tenantId), () =>
      system.write((db) => subscriptions.record(db, told)),
    );
  }

  return {
    /** 402 if the card is declined: nothing was changed. */
    change: (tenantId: string, wanted: WantedChange, requestKey: string | null): Promise<void> =>
      asking(log, async () => {
        if (payments === null) throw noKey();
        const { subscription_id: id } = await current(tenantId);
        await system.exclusive(lockOfSubscription(id), async () => {
          const row = await current(tenantId);
          if (row.subscription_id !== id) throw changedMeanwhile();
          const change = await changeFor(row, wanted);
          if (Object.keys(change).length === 0) return;
          await perform(tenantId, row, change, keyOf(row, change, requestKey));
        });
      }),

    /** What the tenant has too much of for its plan. */
    over: async (tenantId: string) => {
      const tenant = await context.tenantOf(tenantId);
      const plan = context.localPlan ?? tenant?.plan ?? 'free';
      return overLimits(context, tenantId, tenant?.maxUsers ?? PLANS[plan].max_users);
    },
  };
}

export type Changes = ReturnType<typeof createChanges>;

/** Without a key of the caller's, equal changes of one stored state are one change. */
const keyOf = (row: SubscriptionRow, change: SubscriptionChange, requestKey: string | null): string => {
  const { subscription_id: id, version } = row;
  return sha256Hex(JSON.stringify([id, change, requestKey ?? version]));
};

/**
 * Another interval begins a period with a month of credits, and what is left of the one before it is credited: going back and forth
 * would bring credits for next to nothing. 409 within the first month.
 */
function requireMonthOfYear({ period_start, period_end, trial_end }: SubscriptionRow, nowMs: number): void {
  const isTrial = trial_end !== null && period_end <= trial_end;
  const from = addMonths(period_start, 1);
  if (isTrial || from <= nowMs) return;
  throw conflict(
    `The year began less than a month ago: it can be changed to months from ${isoDate(from)} on`,
    { code: 'interval_just_changed' },
  );
}

const changedMeanwhile = () =>
  conflict('The subscription was changed at the same time: look at it and try again', {
    code: 'changed_meanwhile',
  });
