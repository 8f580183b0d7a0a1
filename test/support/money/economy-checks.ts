import { PLANS } from '../../../src/access/plans.ts';
import { monthAt } from '../../../src/people/credits/books/months.ts';
import type { Subscription } from '../payments/objects.ts';
import { orderedIn, pagesOf, subscriptionsOf } from './billing-steps.ts';
import { allEvents } from './event-steps.ts';
import { type Rows, sum } from './ledger-rows.ts';
import { mismatch, type TenantModel } from './model.ts';
import type { Stage } from './stage.ts';

const MOST_HOURS_A_MONTH = 28 * 24;

/** A subscription as the provider told of it. */
interface Telling {
  atMs: number;
  /** When somebody here learned of it at the latest. */
  heardMs: number;
  isEnd: boolean;
  isCanceling: boolean;
  anchorMs: number;
  startMs: number;
  endMs: number;
  /** Credits a month. */
  monthly: number;
  /** Less was ordered, and money came back for it. */
  isPaidBack: boolean;
}

/** An order in force. */
interface Stretch {
  fromMs: number;
  untilMs: number;
  anchorMs: number;
  monthly: number;
}

function monthlyIn(stage: Stage, subscription: Subscription): number {
  const { plan, seats } = orderedIn(stage, subscription);
  const { credits_monthly: monthly, credits_pooled: isPooled } = PLANS[plan];
  return monthly * (isPooled ? seats : 1);
}

const isPaidBackAt = ({ server }: Stage, subscriptionId: string, seconds: number): boolean =>
  [...server.state.invoices.values()].some(
    ({ parent, billing_reason: reason, created, total }) =>
      parent?.subscription_details.subscription === subscriptionId &&
      reason === 'subscription_update' &&
      created === seconds &&
      total < 0,
  );

function tellingsOf(stage: Stage, { id }: Subscription): Telling[] {
  return allEvents(stage).flatMap(({ id: eventId, event }) => {
    const told = event.data.object as unknown as Subscription;
    const [item] = told.object === 'subscription' && told.id === id ? told.items.data : [];
    if (item === undefined) return [];
    return {
      atMs: event.created * 1000,
      heardMs: stage.events.get(eventId)?.acceptedAtMs ?? stage.clock.now(),
      isEnd: told.status === 'canceled',
      isCanceling: told.cancel_at_period_end,
      anchorMs: told.billing_cycle_anchor * 1000,
      startMs: item.current_period_start * 1000,
      endMs: item.current_period_end * 1000,
      monthly: monthlyIn(stage, told),
      isPaidBack: isPaidBackAt(stage, id, event.created),
    };
  });
}

/** In force until its period ends, also if less is ordered later in that period, unless money comes back for it. */
function stretchOf(told: Telling, later: readonly Telling[]): Stretch {
  const { atMs: fromMs, anchorMs, monthly, startMs, endMs } = told;
  const over = later.find((next) => next.isEnd || next.isPaidBack || next.startMs !== startMs);
  return { fromMs, untilMs: Math.min(endMs, over?.atMs ?? endMs), anchorMs, monthly };
}

/** With the part of a month; each month of the calendar counts as one. */
function monthsFrom(anchorMs: number, atMs: number): number {
  const { startMs, endMs } = monthAt(anchorMs, atMs);
  const [anchor, start] = [new Date(anchorMs), new Date(startMs)];
  const years = start.getUTCFullYear() - anchor.getUTCFullYear();
  return years * 12 + start.getUTCMonth() - anchor.getUTCMonth() + (atMs - startMs) / (endMs - startMs);
}

/** Credits of months that began after less was ordered, or nothing, and before that was heard: they are granted as before. */
function unheard(told: Telling, next: Telling | undefined): number {
  if (next === undefined) return 0;
  const { anchorMs, endMs, monthly, isCanceling, heardMs } = told;
  const isLess = next.monthly < monthly;
  if (!isLess && !next.isEnd && next.anchorMs === anchorMs) return 0;
  if (next.isEnd && isCanceling && heardMs <= next.atMs) return 0;
  const fromMs = isLess && !next.isEnd ? endMs : next.atMs;
  if (next.heardMs < fromMs) return 0;
  const begun = Math.floor(monthsFrom(anchorMs, next.heardMs)) - Math.ceil(monthsFrom(anchorMs, fromMs)) + 1;
  return Math.max(0, begun) * monthly;
}

/** The dearest order counts at each time. */
function paidFor(stretches: readonly Stretch[], endMs: number): number {
  const times = stretches.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
  const marks = [...new Set(times.map((time) => Math.min(time, endMs)))].sort((one, other) => one - other);
  return sum(
    marks.slice(1).map((untilMs, index) => {
      const fromMs = marks[index] ?? untilMs;
      const inForce = stretches.filter((each) => each.fromMs <= fromMs && each.untilMs >= untilMs);
      const amounts = inForce.map(
        ({ anchorMs, monthly }) => monthly * (monthsFrom(anchorMs, untilMs) - monthsFrom(anchorMs, fromMs)),
      );
      return Math.max(0, ...amounts);
    }),
  );
}

/** Begun months without an order in force: in those, the free plan grants. */
function freeMonths(stretches: readonly Stretch[], firstMs: number, nowMs: number): number {
  let [freeFromMs, months] = [firstMs, 0];
  const countUntil = (untilMs: number) => {
    if (untilMs > freeFromMs) months += Math.ceil(monthsFrom(freeFromMs, untilMs));
  };
  for (const { fromMs, untilMs } of stretches.toSorted((one, other) => one.fromMs - other.fromMs)) {
    countUntil(fromMs);
    freeFromMs = Math.max(freeFromMs, untilMs);
  }
  countUntil(nowMs);
  return months;
}

/** All that the tenant has was paid for as ordered, so time and money say what it may have. */
function isPlain(stage: Stage, tenant: TenantModel): boolean {
  const { redeemed, isEndedByHand } = tenant;
  const customers = new Set(pagesOf(stage, tenant).map(({ customer }) => customer));
  const hadTrial = subscriptionsOf(stage, tenant).some(({ trial_start: start }) => start !== null);
  const failures = stage.server.eventsOf('invoice.payment_failed');
  const hasFailed = failures.some(({ event }) => customers.has(String(event.data.object.customer)));
  return redeemed.size === 0 && !isEndedByHand && !hadTrial && !hasFailed;
}

/** Time and money allow so many credits, whatever the code does: the free plan's of each month, and those of what is paid for. */
export function checkEconomy(stage: Stage, tenant: TenantModel, rows: Rows, monthEndMs: number): void {
  if (!isPlain(stage, tenant)) return;
  const granted = sum(rows.lots.filter(({ source }) => source === 'grant').map(({ amount }) => amount));
  const { at_ms: firstMs = stage.clock.now() } = rows.postings[0] ?? {};
  const orders = subscriptionsOf(stage, tenant).map((each) => tellingsOf(stage, each));
  const stretches = orders.flatMap((tellings) =>
    tellings.flatMap((told, index) => (told.isEnd ? [] : stretchOf(told, tellings.slice(index + 1)))),
  );
  const late = sum(orders.flatMap((all) => all.map((told, index) => unheard(told, all[index + 1]))));
  const begun = sum(stretches.map(({ monthly }) => 1 + monthly / MOST_HOURS_A_MONTH));
  const free = freeMonths(stretches, firstMs, stage.clock.now() + 1) * PLANS.free.credits_monthly;
  const paid = paidFor(stretches, monthEndMs);
  if (granted > free + paid + late + begun)
    mismatch('more was granted than time and money allow', {
      ...{ tenantId: tenant.tenantId, granted, free, paid, late, begun, orders },
      now: new Date(stage.clock.now()),
    });
}
