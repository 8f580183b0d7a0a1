import type { Executor } from '../../platform/database/dialect.ts';
import { grantOf, type PlanGrant } from '../tenants/index.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { CHARGED_AFTER_MS, TRIAL_SEATS } from './catalog.ts';
import type { BillingContext } from './context.ts';
import { isTrial, keptOf, orderOf, seatsOf } from './orders.ts';
import { paidLately } from './payments.store.ts';
import { GIVES_PLAN } from './subscription-states.ts';

const ANY_NUMBER = Number.POSITIVE_INFINITY;
const MINUTE_MS = 60_000;

export interface PaidPlan {
  /** The present order, as far as it goes on when the period ends. */
  subscription: PlanGrant | null;
  /** More than that, until the period ends. */
  period: PlanGrant | null;
}

/** The most seats that count. */
interface Seats {
  now: number;
  /** When the period ends, until the next one is paid. */
  next: number;
}

/** Such a period was paid as it began: that of a checkout, or of another interval. */
const isPrepaid = ({ period_start, anchor_at, trial_end }: SubscriptionRow): boolean =>
  period_start === anchor_at && anchor_at !== trial_end;

/** The period began with another interval, and the rest of the one before was paid back. */
export const isPaidAnew = (row: SubscriptionRow): boolean =>
  isPrepaid(row) && row.anchor_at >= row.created_at + MINUTE_MS;

/**
 * The plan of a tenant from its subscription. Seats bring credits, and a raise on the last day of a period costs next to nothing. So a
 * period that nobody paid for yet has as many as one payment for the period before was worth, or those of a trial.
 */
export async function paidPlan(
  db: Executor,
  row: SubscriptionRow | null,
  context: Pick<BillingContext, 'payments' | 'clock'>,
): Promise<PaidPlan> {
  if (row === null || !GIVES_PLAN[row.state]) return { subscription: null, period: null };
  const { now, next } = await seatsPaid(db, row, context);
  const ordered = orderOf(row);
  const kept = keptOf(row);
  const most = kept ?? ordered;
  const [later, atOnce] = [Math.min(seatsOf(ordered), now, next), Math.min(seatsOf(most), now)];
  // A month that begins before the provider tells of the end brings nothing.
  const endsAtMs = row.state === 'canceling' ? row.period_end : null;
  const isMore = kept !== null || atOnce > later;
  return {
    subscription: grantOf(ordered.plan, { seats: later, endsAtMs }),
    period: isMore ? grantOf(most.plan, { seats: atOnce, endsAtMs: row.period_end }) : null,
  };
}

async function seatsPaid(
  db: Executor,
  row: SubscriptionRow,
  { payments, clock }: Pick<BillingContext, 'payments' | 'clock'>,
): Promise<Seats> {
  const { state, period_start: start, unit_amount: unit } = row;
  if (isTrial(row)) return { now: TRIAL_SEATS, next: TRIAL_SEATS };
  const { isPeriodPaid, mostAtOnce } = await paidLately(db, row);
  const whole = unit === 0 ? ANY_NUMBER : Math.max(TRIAL_SEATS, Math.floor(mostAtOnce / unit));
  const isPaid =
    isPeriodPaid ||
    // Without a key, events are believed, and perhaps none tells of invoices.
    (state !== 'past_due' &&
      (payments === null || isPrepaid(row) || clock.now() >= start + CHARGED_AFTER_MS));
  return { now: isPaid ? ANY_NUMBER : whole, next: payments === null ? ANY_NUMBER : whole };
}
