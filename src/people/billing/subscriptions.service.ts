import type { Executor } from '../../platform/database/dialect.ts';
import type { PaidSubscription } from '../../platform/payments/payments.ts';
import type { SubscriptionRow } from './billing.tables.ts';
import { GRACE_MS } from './catalog.ts';
import type { BillingContext } from './context.ts';
import { type MailTo, paymentFailedMail, secondSubscriptionMail } from './mails.ts';
import { keptFrom } from './orders.ts';
import { isPaidAnew, paidPlan } from './paid-plan.ts';
import type { Offer } from './products.service.ts';
import { IS_LIVE, isOwing, nextState, type SubscriptionSignal, signalOf } from './subscription-states.ts';
import {
  changeSubscriptionRow,
  customerOf,
  putCustomer,
  putSubscription,
  subscriptionById,
  subscriptionsOf,
} from './subscriptions.store.ts';

/** The people who get mails about a tenant. */
export interface Owners {
  tenantName: string;
  addresses: readonly string[];
}

export interface Told {
  tenantId: string;
  subscription: PaidSubscription;
  offer: Offer;
  owners: Owners;
  /** When it was so. */
  atMs: number;
  /** The provider was asked: then this counts over everything that is stored. */
  isFetched: boolean;
  /** Signals that came with it. */
  signals?: readonly SubscriptionSignal[];
}

export interface Recorded {
  outcome: 'applied' | 'stale';
  row: SubscriptionRow | null;
  /** Further live subscriptions of the tenant that nobody knew of yet. */
  seconds: readonly string[];
}

/** The subscription that counts: the oldest live one. */
export const currentOf = (rows: readonly SubscriptionRow[]): SubscriptionRow | null =>
  rows.find((row) => IS_LIVE[row.state] && row.is_extra === 0) ?? null;

/** A state that came from a later event stays; of two in one second an end stays, otherwise the later arrival counts. */
const isOlder = (told: Told, stored: SubscriptionRow): boolean =>
  stored.state_at > told.atMs || (stored.state_at === told.atMs && stored.state === 'ended');

/** Stores what is known of subscriptions, and what follows from it: the tenant's plan, its credits, mails to its owners. */
export function createSubscriptions({
  payments,
  planGrants,
  books,
  letters,
  publicUrl,
  clock,
}: BillingContext) {
  const page = `${publicUrl.replace(/\/$/, '')}/settings/billing`;

  async function mail(db: Executor, { addresses }: Owners, mailTo: MailTo): Promise<void> {
    for (const address of addresses) await letters.add(db, mailTo(address));
  }

  /** The plan and the credits of a tenant from all its subscriptions. Repeating it changes nothing. */
  async function settle(db: Executor, tenantId: string): Promise<SubscriptionRow[]> {
    const rows = await subscriptionsOf(db, tenantId);
    const current = currentOf(rows);
    const grants = await paidPlan(db, current, { payments, clock });
    await planGrants.put(db, tenantId, grants);
    // An unpaid renewal moves no months: they go on as the ledger counts them, since nothing is locked during the grace.
    if (current !== null && grants.subscription !== null && current.state !== 'past_due')
      await books.beginPeriod(db, {
        tenantId,
        startMs: current.period_start,
        anchorMs: current.anchor_at,
        isPaidAnew: isPaidAnew(current),
      });
    return rows.filter((row) => IS_LIVE[row.state] && row.is_extra === 0 && row !== current);
  }

  function rowFrom(told: Told, stored: SubscriptionRow | null): SubscriptionRow {
    const { tenantId, subscription, offer, atMs, isFetched, signals = [] } = told;
    const state = nextState(stored?.state ?? null, [signalOf(subscription), ...signals]);
    const unpaidSince = isOwing(state) ? (stored?.unpaid_since ?? atMs) : null;
    const { priceId, quantity, unitAmount } = subscription;
    const kept = keptFrom(stored, subscription, { ...offer, priceId, quantity, unitAmount });
    return {
      subscription_id: subscription.subscriptionId,
      tenant_id: tenantId,
      customer_id: subscription.customerId,
      state,
      plan: offer.plan,
      price_id: priceId,
      interval: subscription.interval,
      quantity,
      unit_amount: unitAmount,
      is_per_seat: offer.isPerSeat ? 1 : 0,
      kept: kept && JSON.stringify(kept),
      anchor_at: subscription.anchorAt,
      period_start: subscription.periodStart,
      period_end: subscription.periodEnd,
      trial_end: subscription.trialEnd,
      cancel_at_period_end: subscription.cancelAtPeriodEnd ? 1 : 0,
      created_at: subscription.createdAt,
      ended_at: state === 'ended' ? (subscription.endedAt ?? stored?.ended_at ?? atMs) : null,
      state_at: atMs,
      unpaid_since: unpaidSince,
      grace_ends_at: unpaidSince === null ? null : unpaidSince + GRACE_MS,
      trial_told_at: stored?.trial_told_at ?? null,
      upcoming_amount: stored?.upcoming_amount ?? null,
      upcoming_currency: stored?.upcoming_currency ?? null,
      upcoming_told_at: stored?.upcoming_told_at ?? null,
      is_extra: stored?.is_extra ?? 0,
      looked_at: isFetched ? clock.now() : (stored?.looked_at ?? clock.now()),
      version: (stored?.version ?? 0) + 1,
    };
  }

  /** The caller has the lock of the tenant, so nobody else settles it meanwhile. */
  async function record(db: Executor, told: Told): Promise<Recorded> {
    const { tenantId, subscription, owners, isFetched } = told;
    const stored = await subscriptionById(db, subscription.subscriptionId);
    if (stored !== null && !isFetched && isOlder(told, stored))
      return { outcome: 'stale', row: stored, seconds: [] };
    const row = rowFrom(told, stored);
    await putSubscription(db, row);
    if ((await customerOf(db, tenantId)) === null) await putCustomer(db, tenantId, row.customer_id);
    return { outcome: 'applied', row, seconds: await follow(db, row, stored, owners) };
  }

  /** Draws the consequences of a new state: the plan, mails, and the end of subscriptions that are one too many. */
  async function follow(
    db: Executor,
    row: SubscriptionRow,
    before: SubscriptionRow | null,
    owners: Owners,
  ): Promise<string[]> {
    if (row.state === 'past_due' && before?.state !== 'past_due' && row.grace_ends_at !== null)
      await mail(db, owners, paymentFailedMail(owners.tenantName, row.grace_ends_at, page));
    const seconds = await settle(db, row.tenant_id);
    // Without a key nobody can end them; the notice was given when the subscription was new.
    const isNews = payments !== null || before === null || !IS_LIVE[before.state];
    if (!isNews) return [];
    for (const { subscription_id: id } of seconds) {
      if (payments !== null) await changeSubscriptionRow(db, id, { is_extra: 1 });
      await mail(db, owners, secondSubscriptionMail(owners.tenantName, payments !== null, page));
    }
    return seconds.map(({ subscription_id }) => subscription_id);
  }

  /** Something happened to a stored subscription. */
  async function signal(
    db: Executor,
    stored: SubscriptionRow,
    what: SubscriptionSignal,
    { owners, atMs, change = {} }: { owners: Owners; atMs: number; change?: Partial<SubscriptionRow> },
  ): Promise<SubscriptionRow> {
    const state = nextState(stored.state, [what]);
    const unpaidSince = isOwing(state) ? (stored.unpaid_since ?? atMs) : null;
    const graceEnd = unpaidSince === null ? null : unpaidSince + GRACE_MS;
    const row: SubscriptionRow = {
      ...stored,
      ...change,
      state,
      unpaid_since: unpaidSince,
      grace_ends_at: graceEnd,
      version: stored.version + 1,
    };
    await putSubscription(db, row);
    await follow(db, row, stored, owners);
    return row;
  }

  return { record, signal, settle, mail, page };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;
