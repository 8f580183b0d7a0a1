import type { PlanName } from '../../access/plans.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import { keyReused } from '../../kit/http/idempotency-key.ts';
import {
  type BillingInterval,
  type Payments,
  PaymentsError,
  type SubscriptionChange,
} from '../../platform/payments/payments.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { requireCertain, type Steps, stepsTo, stepsToInterval } from './change-steps.ts';
import { changeByKey, putChange } from './changes.store.ts';
import { planPrice, seatsFor } from './checkouts.service.ts';
import type { EffectTools } from './effects.ts';
import { lockOfChange, lockOfSubscription, lockOfTenant } from './locks.ts';
import { type Order, orderOf } from './orders.ts';
import { asking, noKey } from './payments-errors.ts';
import { createHearing } from './subscription-effects.ts';
import { currentOf } from './subscriptions.service.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';

export interface WantedChange {
  plan?: PlanName | undefined;
  interval?: BillingInterval | undefined;
  seats?: number | undefined;
  cancelAtPeriodEnd?: boolean | undefined;
}

const NOTHING: Steps = { restore: null, main: {}, undo: null };

/** Upgrade, downgrade, seats, cancel and resume: asked of the provider, whose answer is stored at once. */
export function createChanges(tools: EffectTools) {
  const { context, products, subscriptions } = tools;
  const { database, payments, clock, log } = context;
  const { system } = database;
  const store = createSubscriptionStore(system);
  const hear = createHearing(tools);

  async function current(tenantId: string): Promise<SubscriptionRow> {
    const row = currentOf(await store.of(tenantId));
    if (row !== null) return row;
    throw conflict('There is no subscription to change: begin one by POST /api/billing/checkout', {
      code: 'not_subscribed',
    });
  }

  /** Stores what the provider has now: the last news may be on its way. */
  async function refresh(tenantId: string, subscriptionId: string): Promise<SubscriptionRow> {
    const understood = await hear({ subscription: null, subscriptionId, atMs: clock.now() });
    if ('refusal' in understood) throw disputed();
    await system.exclusive(lockOfTenant(tenantId), () =>
      system.write((db) => subscriptions.record(db, understood.told)),
    );
    return current(tenantId);
  }

  async function orderFor(row: SubscriptionRow, { plan, interval, seats }: WantedChange): Promise<Order> {
    const now = orderOf(row);
    const wantedPlan = plan ?? now.plan;
    const wantedInterval = interval ?? row.interval;
    const { product, price } = planPrice(await products.fresh(), wantedPlan, wantedInterval);
    // A plan for one person costs once, however many seats there were.
    const quantity = seatsFor(product, seats) ?? (product.perSeat ? now.quantity : 1);
    const isElsewhere = wantedPlan !== now.plan || wantedInterval !== row.interval;
    if (!isElsewhere) return { ...now, quantity };
    const { priceId, amount: unitAmount } = price;
    return { plan: wantedPlan, priceId, quantity, unitAmount, isPerSeat: product.perSeat };
  }

  async function stepsFor(row: SubscriptionRow, wanted: WantedChange): Promise<Steps> {
    const { plan, interval, seats, cancelAtPeriodEnd } = wanted;
    const isOrder = plan !== undefined || interval !== undefined || seats !== undefined;
    const order = isOrder ? await orderFor(row, wanted) : null;
    const isOtherInterval = interval !== undefined && interval !== row.interval;
    const to = isOtherInterval ? stepsToInterval : stepsTo;
    const steps = order === null ? NOTHING : to(row, order);
    requireCertain(row, steps, clock.now());
    if (cancelAtPeriodEnd === undefined) return steps;
    return { ...steps, main: { ...steps.main, cancelAtPeriodEnd } };
  }

  /** True if it was made before for this key; others may have followed. */
  async function isRepeated(tenantId: string, key: string, request: string): Promise<boolean> {
    const made = await system.read((db) => changeByKey(db, tenantId, key));
    if (made !== null && made.request !== request) throw keyReused();
    return made !== null;
  }

  async function make(api: Payments, tenantId: string, wanted: WantedChange): Promise<void> {
    const { subscription_id: id } = await current(tenantId);
    await system.exclusive(lockOfSubscription(id), async () => {
      const row = await refresh(tenantId, id);
      if (row.subscription_id !== id) throw changedMeanwhile();
      const steps = await stepsFor(row, wanted);
      if (Object.keys(steps.main).length === 0) return;
      await perform(api, row, steps);
      await refresh(tenantId, id);
    });
  }

  return {
    /** 402 if the card is declined: nothing was changed. */
    change: (tenantId: string, wanted: WantedChange, requestKey: string | null): Promise<void> =>
      asking(log, async () => {
        if (payments === null) throw noKey();
        if (requestKey === null) return make(payments, tenantId, wanted);
        const request = sha256Hex(JSON.stringify(wanted));
        await system.exclusive(lockOfChange(tenantId, requestKey), async () => {
          if (await isRepeated(tenantId, requestKey, request)) return;
          await make(payments, tenantId, wanted);
          const row = { tenant_id: tenantId, request_key: requestKey, request, made_at: clock.now() };
          await system.write((db) => putChange(db, row));
        });
      }),
  };
}

export type Changes = ReturnType<typeof createChanges>;

/** A repeated call of the same step is one call at the provider; another attempt sees what it has then. */
const keyOf = ({ subscription_id: id, version }: SubscriptionRow, change: SubscriptionChange): string =>
  sha256Hex(JSON.stringify([id, change, version]));

async function perform(api: Payments, row: SubscriptionRow, { restore, main, undo }: Steps): Promise<void> {
  const ask = (change: SubscriptionChange) =>
    api.changeSubscription(row.subscription_id, change, keyOf(row, change));
  if (restore !== null) await ask(restore);
  try {
    await ask(main);
  } catch (error) {
    // Without an answer it may have been made; the next attempt sees what is there.
    const isRefused = error instanceof PaymentsError && error.code !== 'unavailable';
    if (undo !== null && isRefused) await ask(undo);
    throw error;
  }
}

const changedMeanwhile = () =>
  conflict('The subscription was changed at the same time: look at it and try again', {
    code: 'changed_meanwhile',
  });

const disputed = () =>
  conflict(
    'The billing provider says something else about this subscription than we know: nothing was changed, ask those who run this installation',
    { code: 'subscription_disputed' },
  );
