import { setTimeout as pause } from 'node:timers/promises';
import { PLANS, type PlanName } from '../../access/plans.ts';
import { isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import type { BillingContext } from './context.ts';
import { noticesOf } from './notices.ts';
import { keptOf, orderOf, seatsOf } from './orders.ts';
import { overLimits } from './over-limits.ts';
import { currentOf } from './subscriptions.service.ts';
import { createSubscriptionStore } from './subscriptions.store.ts';

const PROBE_MS = 1_500;
const PROBE_FOR_MS = 30_000;

const time = (ms: number | null | undefined): string | null => (ms == null ? null : isoTime(ms));

/** Another period follows this one. */
const goesOn = ({ state }: SubscriptionRow): boolean => state !== 'canceling' && state !== 'ended';

/** A tenant's plan and means, as its people see them. */
export function createOverview(context: BillingContext) {
  const { database, payments, paymentEvents, tenantOf, localPlan, clock, log } = context;
  const store = createSubscriptionStore(database.system);
  let probed: { state: 'ok' | 'down'; atMs: number } | null = null;
  let probing: Promise<'ok' | 'down'> | null = null;

  async function planOf(tenantId: string): Promise<{ plan: PlanName; seats: number }> {
    const tenant = await tenantOf(tenantId);
    const plan = localPlan ?? tenant?.plan ?? 'free';
    return { plan, seats: tenant?.maxUsers ?? PLANS[plan].max_users };
  }

  /** The live one, or else the latest, so that people see that it ended. */
  const shownRow = (rows: readonly SubscriptionRow[]): SubscriptionRow | null =>
    currentOf(rows) ?? rows.findLast((row) => row.is_extra === 0) ?? null;

  async function subscription(tenantId: string) {
    const row = shownRow(await store.of(tenantId));
    const { plan, seats } = await planOf(tenantId);
    const ordered = row && orderOf(row);
    const kept = row && keptOf(row);
    const shown = kept ?? ordered;
    return {
      configured: payments !== null,
      plan,
      status: row?.state ?? ('none' as const),
      subscribed_plan: shown?.plan ?? null,
      interval: row?.interval ?? null,
      seats: shown?.isPerSeat ? shown.quantity : seats,
      next_period: kept && ordered && goesOn(row) ? { plan: ordered.plan, seats: seatsOf(ordered) } : null,
      trial_ends_at: time(row?.trial_end),
      current_period_start: time(row?.period_start),
      current_period_end: time(row?.period_end),
      cancel_at_period_end: row?.cancel_at_period_end === 1,
      grace_ends_at: time(row?.grace_ends_at),
      ended_at: time(row?.ended_at),
      notices: noticesOf(row, clock.now()),
    };
  }

  async function probe(): Promise<'ok' | 'down'> {
    if (payments === null) return 'down';
    const state = await payments.probe().then(
      () => 'ok' as const,
      (error: unknown) => {
        log.warn(`the billing provider does not answer as it should: ${messageOf(error)}`);
        return 'down' as const;
      },
    );
    probed = { state, atMs: clock.now() };
    return state;
  }

  async function provider(): Promise<'ok' | 'down' | 'not_configured'> {
    if (payments === null) return 'not_configured';
    if (probed !== null && clock.now() - probed.atMs < PROBE_FOR_MS) return probed.state;
    probing ??= probe().finally(() => {
      probing = null;
    });
    const late = new AbortController();
    const waited = pause(PROBE_MS, 'down' as const, { signal: late.signal }).catch(() => 'down' as const);
    const state = await Promise.race([probing, waited]);
    late.abort();
    return state;
  }

  async function status(tenantId: string) {
    const row = shownRow(await store.of(tenantId));
    const { seats } = await planOf(tenantId);
    return {
      configured: payments !== null,
      webhook_configured: paymentEvents !== null,
      provider: await provider(),
      customer: (await store.customerOf(tenantId)) !== null,
      subscription_status: row?.state ?? ('none' as const),
      notices: noticesOf(row, clock.now()),
      over_limits: await overLimits(context, tenantId, seats),
    };
  }

  /** Too much for the seats that the tenant has, or for those that it ordered for its next period. */
  async function over(tenantId: string) {
    const row = currentOf(await store.of(tenantId));
    const isLess = row !== null && keptOf(row) !== null && localPlan === null;
    return overLimits(context, tenantId, isLess ? seatsOf(orderOf(row)) : (await planOf(tenantId)).seats);
  }

  return { subscription, status, over };
}

export type Overview = ReturnType<typeof createOverview>;
