import { isPlanName, PLANS, type PlanName } from '../../../src/access/plans.ts';
import { MARKS } from '../../../src/platform/payments/adapters/read-catalog.ts';
import type { CheckoutSession, Subscription } from '../payments/objects.ts';
import { mismatch, type TenantModel } from './model.ts';
import type { Answered, Asked, Person } from './process.ts';
import type { Stage } from './stage.ts';

const BLOCKS = { credits_500: 500, credits_2000: 2000 } as const;

async function askUntilAnswered(
  stage: Stage,
  person: Person,
  asked: Asked,
  accepted: readonly number[],
): Promise<Answered> {
  const answer = await stage.untilAnswered((process) => process.ask(person, asked));
  stage.journal.note(person.tenantId, asked.route, { ...asked, answer });
  if (!accepted.includes(answer.status)) return mismatch('an unexpected answer', { asked, answer });
  return answer;
}

/** Half of the clients send a key. */
const keyFor = ({ random, number }: Stage) => (random.chance(0.5) ? { key: `key-${number()}` } : {});

export const pagesOf = (stage: Stage, tenant: TenantModel): CheckoutSession[] =>
  [...stage.server.state.checkouts.values()].filter(({ metadata }) => metadata.tenant_id === tenant.tenantId);

export const subscriptionsOf = (stage: Stage, tenant: TenantModel): Subscription[] =>
  [...stage.server.state.subscriptions.values()].filter(
    ({ metadata }) => metadata.tenant_id === tenant.tenantId,
  );

export function planOf({ server }: Stage, { items }: Pick<Subscription, 'items'>): PlanName {
  const product = server.state.products.get(items.data[0]?.price.product ?? '');
  const plan = product?.metadata[MARKS.plan] ?? '';
  return isPlanName(plan) ? plan : mismatch('a subscription to no plan', { product });
}

export interface Ordered {
  plan: PlanName;
  seats: number;
  cost: number;
}

export function orderedIn(stage: Stage, { items }: Pick<Subscription, 'items'>): Ordered {
  const [item] = items.data;
  const plan = planOf(stage, { items });
  const quantity = item?.quantity ?? 0;
  const seats = plan === 'team' ? quantity : PLANS[plan].max_users;
  return { plan, seats, cost: quantity * (item?.price.unit_amount ?? 0) };
}

/** Some pay by transfer, which arrives later or never. */
export function pay(stage: Stage, page: CheckoutSession): void {
  const { random, server, journal, isPlain } = stage;
  const card = isPlain ? 'ok' : random.pick(['ok', 'ok', 'ok', 'declines', 'declined'] as const);
  server.completeCheckout(page.id, { card });
  if (page.status === 'complete' && page.mode === 'payment' && random.chance(0.2))
    page.payment_status = 'unpaid';
  journal.note('the provider', 'a page is paid', { page: page.id, card, status: page.payment_status });
}

/** A transfer. */
export function arrive({ server, further, journal }: Stage, page: CheckoutSession): void {
  page.payment_status = 'paid';
  further.push(server.makeEvent('checkout.session.async_payment_succeeded', { ...page }));
  journal.note('the provider', 'a transfer arrives', { page: page.id });
}

export async function subscribe(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, server, isPlain } = stage;
  const plan = random.pick(['indie', 'team'] as const);
  const body = {
    plan,
    interval: random.chance(0.8) ? 'month' : 'year',
    ...(plan === 'team' && { seats: 1 + random.integer(4) }),
    ...(!isPlain && random.chance(0.2) && { trial: true }),
  };
  const asked = { route: 'POST /api/billing/checkout', body, ...keyFor(stage) };
  const { status, body: answer } = await askUntilAnswered(
    stage,
    random.pick(tenant.people),
    asked,
    [200, 409],
  );
  const page = status === 200 ? server.state.checkouts.get(String(answer.checkout_id)) : undefined;
  if (page !== undefined) tenant.pages.add(page.id);
  if (page?.status === 'open' && random.chance(0.8)) pay(stage, page);
}

export async function buyBlock(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, server } = stage;
  const block = random.pick(['credits_500', 'credits_2000'] as const);
  const quantity = 1 + random.integer(2);
  const asked = { route: 'POST /api/billing/purchase-tokens', body: { block, quantity }, ...keyFor(stage) };
  const { body: answer } = await askUntilAnswered(stage, random.pick(tenant.people), asked, [200]);
  const id = String(answer.checkout_id);
  tenant.blocks.set(id, BLOCKS[block] * quantity);
  tenant.pages.add(id);
  const page = server.state.checkouts.get(id);
  if (page?.status === 'open' && random.chance(0.8)) pay(stage, page);
}

/** Somebody comes back to a page that was left open, or a transfer arrives. */
export async function payLate(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random } = stage;
  const pages = pagesOf(stage, tenant);
  const unpaid = pages.filter(
    ({ status, payment_status: paid }) => status === 'complete' && paid === 'unpaid',
  );
  // Nobody was told of a page whose answer was lost with its process, when a repeated call opened another.
  const open = pages.filter(
    ({ id, mode, status }) => status === 'open' && (mode === 'subscription' || tenant.blocks.has(id)),
  );
  if (unpaid.length > 0) {
    arrive(stage, random.pick(unpaid));
  } else if (open.length > 0) pay(stage, random.pick(open));
  else await buyBlock(stage, tenant);
}

const INTERVALS = ['month', 'year'] as const;

export async function change(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, isPlain } = stage;
  const hasNone = subscriptionsOf(stage, tenant).every(({ status }) => status === 'canceled');
  if (isPlain && hasNone) return subscribe(stage, tenant);
  const plan = random.pick(['indie', 'team', null] as const);
  // By itself it is never less than what is paid for.
  if (isPlain && random.chance(0.2)) return changeTo(stage, tenant, { interval: random.pick(INTERVALS) });
  const body = random.chance(0.3)
    ? { cancel_at_period_end: random.chance(0.6) }
    : {
        ...(plan !== null && { plan }),
        ...(random.chance(0.2) && { interval: random.pick(INTERVALS) }),
        ...(plan !== 'indie' && random.chance(0.6) && { seats: 1 + random.integer(5) }),
      };
  await changeTo(stage, tenant, body);
}

async function changeTo(stage: Stage, tenant: TenantModel, body: object): Promise<void> {
  const asked = { route: 'PUT /api/billing/subscription', body, ...keyFor(stage) };
  await askUntilAnswered(stage, stage.random.pick(tenant.people), asked, [200, 402, 409, 422]);
}

const WITHIN_PERIODS = ['cancel', 'resume'] as const;

/** The customer does something at the provider, which only events tell. Plan and seats are not changed there. */
export async function usePortal(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, server, journal, isPlain } = stage;
  const live = subscriptionsOf(stage, tenant).filter(({ status }) => status !== 'canceled');
  if (live.length === 0) return subscribe(stage, tenant);
  const { id } = random.pick(live);
  const what = isPlain ? random.pick(WITHIN_PERIODS) : random.pick([...WITHIN_PERIODS, 'end'] as const);
  try {
    if (what === 'end') {
      server.endAtPortal(id);
      tenant.isEndedByHand = true;
    } else server.changeAtPortal(id, { cancelAtPeriodEnd: what === 'cancel' });
    journal.note('the portal', what, { id });
  } catch (error) {
    journal.note('the portal', `refuses: ${what}`, { id, error: String(error) });
  }
}

/** A card stops working, works again, or pays what is open. */
export async function useCard(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, server, journal } = stage;
  const [{ customer } = { customer: null }] = pagesOf(stage, tenant);
  if (customer === null) return buyBlock(stage, tenant);
  const card = random.pick(['ok', 'declines'] as const);
  server.setCard(customer, card);
  const open = [...server.state.invoices.values()].find(
    (invoice) => invoice.customer === customer && invoice.status === 'open',
  );
  const paid = open !== undefined && random.chance(0.5) ? server.payOpenInvoice(open.id) : null;
  journal.note('the provider', 'a card', { customer, card, paid });
}
