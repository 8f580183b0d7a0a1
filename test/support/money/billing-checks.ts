import type { Kysely } from 'kysely';
import { PLANS, type PlanName } from '../../../src/access/plans.ts';
import { accessFrom } from '../../../src/people/beta/access.ts';
import type { BillingTables, SubscriptionRow } from '../../../src/people/billing/billing.tables.ts';
import type { CreditTables } from '../../../src/people/credits/credits.tables.ts';
import type { Subscription } from '../payments/objects.ts';
import { type Ordered, orderedIn, pagesOf, planOf, subscriptionsOf } from './billing-steps.ts';
import { allEvents, checkFirsts, isRemembered } from './event-steps.ts';
import { endOf, mismatch, type TenantModel } from './model.ts';
import { DAY_MS, monthlyOf, type Stage } from './stage.ts';

const GRACE_MS = 14 * DAY_MS;
const GOOD_OUTCOMES = ['applied', 'ignored', 'stale', 'unknown_type'];

/** Of events about a tenant that is gone. */
const LATE_OUTCOMES = ['unknown_customer', 'held'];

/** The states that may follow from what the provider says. */
const STATES: Record<Subscription['status'], readonly string[]> = {
  incomplete: ['incomplete'],
  trialing: ['trialing'],
  active: ['active'],
  past_due: ['past_due', 'past_grace'],
  unpaid: ['past_due', 'past_grace'],
  canceled: ['ended'],
  paused: ['paused'],
};

const statesOf = ({ status, cancel_at_period_end: cancels }: Subscription): readonly string[] =>
  cancels && (status === 'active' || status === 'trialing') ? ['canceling'] : STATES[status];

const GIVING = ['trialing', 'active', 'canceling', 'past_due'];

function checkRow(stage: Stage, theirs: Subscription, row: SubscriptionRow | undefined): void {
  const nowMs = stage.clock.now();
  const [item] = theirs.items.data;
  const details = { theirs: { ...theirs, items: item }, row, nowMs: new Date(nowMs) };
  if (row === undefined) mismatch('a subscription is unknown', details);
  if (!statesOf(theirs).includes(row.state)) mismatch('a subscription is in another state', details);
  if (row.state === 'ended') return;
  const isSame =
    row.plan === planOf(stage, theirs) &&
    row.quantity === item?.quantity &&
    row.period_start === item.current_period_start * 1000;
  if (!isSame) mismatch('a subscription is another one', details);
  if (row.state !== 'past_due' && row.state !== 'past_grace') return;
  const { unpaid_since: since, grace_ends_at: ends } = row;
  const isRight =
    since !== null && ends === since + GRACE_MS && ends <= nowMs === (row.state === 'past_grace');
  if (!isRight || since < theirs.created * 1000) mismatch('a grace is wrong', details);
}

/** The dearest of everything that was ordered in the subscription's period, from all that the provider told of it. */
function mostIn(stage: Stage, theirs: Subscription): Ordered {
  const periodOf = ({ items }: Pick<Subscription, 'items'>) =>
    `${items.data[0]?.current_period_start} ${items.data[0]?.current_period_end}`;
  const told = allEvents(stage)
    .map(({ event }) => event.data.object as unknown as Subscription)
    .filter(({ object, id }) => object === 'subscription' && id === theirs.id);
  return [...told, theirs]
    .filter((each) => periodOf(each) === periodOf(theirs))
    .map((each) => orderedIn(stage, each))
    .reduce((most, each) => (each.cost > most.cost ? each : most));
}

/** Trials of these histories have four seats at most, so no limit of a trial shows. */
function givenBy(stage: Stage, current: Subscription): Ordered {
  return current.status === 'trialing' ? orderedIn(stage, current) : mostIn(stage, current);
}

/** The plan that follows from what the provider says now, and from codes. */
async function checkPlan(stage: Stage, tenant: TenantModel, rows: SubscriptionRow[]): Promise<void> {
  const live = subscriptionsOf(stage, tenant).filter(({ status }) => status !== 'canceled');
  if (live.length > 1) mismatch('a tenant has two subscriptions', { live });
  const [current] = live;
  const row = rows.find(({ subscription_id: id }) => id === current?.id);
  const codes = [...tenant.redeemed.values()]
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .map((each) => ({ ...each, endsAtMs: endOf(each), features: {} }));
  const beta = accessFrom(codes, stage.clock.now());
  const options = [
    { plan: 'free' as PlanName, seats: 1 },
    ...(current && row && GIVING.includes(row.state) ? [givenBy(stage, current)] : []),
    ...(beta ? [{ plan: beta.plan, seats: PLANS[beta.plan].max_users }] : []),
  ];
  const tier = Math.max(...options.map(({ plan }) => PLANS[plan].tier));
  const expected = options.find(({ plan }) => PLANS[plan].tier === tier);
  const has = await stage.any().planOf(tenant.tenantId);
  if (has.plan !== expected?.plan || has.seats !== expected.seats)
    mismatch('a tenant has another plan', { has, expected, beta, row, now: new Date(stage.clock.now()) });
  const { pooled, monthly } = {
    pooled: PLANS[has.plan].credits_pooled,
    monthly: PLANS[has.plan].credits_monthly,
  };
  const seats = has.seats > 0 ? has.seats : tenant.people.length;
  if ((await monthlyOf(stage, tenant)) !== monthly * (pooled ? seats : 1))
    mismatch('a tenant has another allowance', { has });
  if (current?.status !== 'active' || row === undefined) return;
  const view = await stage.any().ledger.look(tenant.tenantId, '');
  if (view.periodStartMs <= row.period_start - DAY_MS)
    mismatch('a month that was paid did not begin', { view, row });
}

/** Every page that was paid is booked once, and no other. */
async function checkPurchases(stage: Stage, tenant: TenantModel): Promise<void> {
  const { tenantId, blocks } = tenant;
  const booked = await stage.read((db: Kysely<BillingTables>) =>
    db
      .selectFrom('billing_purchases')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('status', '=', 'booked')
      .execute(),
  );
  const lots = await stage.read((db: Kysely<CreditTables>) =>
    db
      .selectFrom('credit_lots')
      .select(['reference', 'amount'])
      .where('tenant_id', '=', tenantId)
      .where('source', '=', 'purchase')
      .execute(),
  );
  const paid = [...blocks].filter(([id]) => {
    const page = stage.server.state.checkouts.get(id);
    return page?.status === 'complete' && page.payment_status === 'paid';
  });
  const expected = paid.map(([id, credits]) => `${id} ${credits}`).sort();
  const rows = booked.map(({ checkout_id: id, credits }) => `${id} ${credits}`).sort();
  const issued = lots
    .map(({ reference, amount }) => `${reference.replace('checkout:', '')} ${amount}`)
    .sort();
  const [wanted, found, given] = [expected, rows, issued].map((each) => each.join('\n'));
  if (wanted !== found || wanted !== given)
    mismatch('the purchases are not those that were paid', { expected, rows, issued });
}

/** Ids of the events about tenants that are gone. */
function eventsOfGone(stage: Stage): Set<string> {
  const theirs = stage.gone.flatMap((tenant) => [
    ...pagesOf(stage, tenant),
    ...subscriptionsOf(stage, tenant),
  ]);
  const customers = new Set(theirs.map(({ customer }) => customer));
  const about = allEvents(stage).filter(({ event }) => customers.has(String(event.data.object.customer)));
  return new Set(about.map(({ id }) => id));
}

async function checkEvents(stage: Stage): Promise<void> {
  const rows = await stage.read((db: Kysely<BillingTables>) =>
    db.selectFrom('billing_events').select(['event_id', 'type', 'outcome', 'note']).execute(),
  );
  const stored = new Set(rows.map(({ event_id: id }) => id));
  const sent = allEvents(stage).filter(({ id }) => !stage.dropped.has(id));
  const missing = sent.filter((event) => isRemembered(stage, event) && !stored.has(event.id));
  const ids = new Set(sent.map(({ id }) => id));
  const unknown = [...stored].filter((id) => !ids.has(id));
  if (missing.length > 0 || unknown.length > 0 || stored.size !== rows.length)
    mismatch('the stored events are not those that were sent', { missing, unknown, stored: rows.length });
  const late = eventsOfGone(stage);
  const bad = rows.filter(
    ({ event_id: id, outcome }) =>
      !GOOD_OUTCOMES.includes(outcome) && !(late.has(id) && LATE_OUTCOMES.includes(outcome)),
  );
  if (bad.length > 0) mismatch('events came to nothing', { bad });
  checkFirsts(stage);
}

export async function checkBilling(stage: Stage): Promise<void> {
  await checkEvents(stage);
  for (const tenant of stage.tenants) {
    const rows = await stage.read((db: Kysely<BillingTables>) =>
      db.selectFrom('billing_subscriptions').selectAll().where('tenant_id', '=', tenant.tenantId).execute(),
    );
    for (const theirs of subscriptionsOf(stage, tenant))
      checkRow(
        stage,
        theirs,
        rows.find(({ subscription_id: id }) => id === theirs.id),
      );
    await checkPlan(stage, tenant, rows);
    await checkPurchases(stage, tenant);
  }
}
