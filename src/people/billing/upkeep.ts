import { messageOf } from '../../kit/errors.ts';
import { createRegularWork } from '../../kit/regular-work.ts';
import { unlessBusy } from '../../platform/database/unless-busy.ts';
import { type Checkout, PaymentsError } from '../../platform/payments/payments.ts';
import type { CheckoutRow, SubscriptionRow } from './billing.tables.ts';
import { createCheckoutStore } from './checkouts.store.ts';
import { type EffectTools, ownersOf } from './effects.ts';
import { createEventStore } from './events.store.ts';
import { lockOfCheckout, lockOfSubscription, lockOfTenant } from './locks.ts';
import { graceOverMail } from './mails.ts';
import type { Owners } from './subscriptions.service.ts';
import { createSubscriptionStore, subscriptionById } from './subscriptions.store.ts';
import type { Webhooks } from './webhook.service.ts';

const EVERY_MS = 20_000;
const HOUR_MS = 3_600_000;
/** Events hold data of people; the provider repeats one for three days. */
const EVENTS_KEPT_MS = 90 * 24 * HOUR_MS;

/** The owners of a tenant that is gone. */
const NOBODY: Owners = { tenantName: '', addresses: [] };

const isAway = (error: unknown): boolean =>
  error instanceof PaymentsError && (error.code === 'unavailable' || error.code === 'limited');

interface Turns<Item> {
  signal: AbortSignal;
  work(item: Item): Promise<void>;
  setBack(item: Item): Promise<void>;
}

/** Work that no event starts: graces end, second subscriptions are ended, and what lost events would have said is asked for. */
export function createUpkeep(tools: EffectTools, webhooks: () => Webhooks) {
  const { context, subscriptions } = tools;
  const { database, payments, letters, clock, log } = context;
  const { system } = database;
  const store = createSubscriptionStore(system);
  const checkouts = createCheckoutStore(system);
  const events = createEventStore(system);
  let cleanedAt = Number.NEGATIVE_INFINITY;

  async function endGrace({ subscription_id: id, tenant_id: tenantId }: SubscriptionRow): Promise<void> {
    const owners = (await ownersOf(context, tenantId)) ?? NOBODY;
    await system.exclusive(lockOfSubscription(id), () =>
      system.exclusive(lockOfTenant(tenantId), () =>
        system.write(async (db) => {
          const row = await subscriptionById(db, id);
          if (row?.state !== 'past_due' || (row.grace_ends_at ?? 0) > clock.now()) return;
          await subscriptions.signal(db, row, 'grace_over', { owners, atMs: clock.now() });
          await subscriptions.mail(db, owners, graceOverMail(owners.tenantName, subscriptions.page));
        }),
      ),
    );
    letters.soon();
  }

  /** Asks the provider and stores its answer. */
  async function lookAt({ subscription_id: id }: SubscriptionRow): Promise<void> {
    await system.exclusive(lockOfSubscription(id), async () => {
      const understood = await webhooks().hear({ subscription: null, subscriptionId: id, atMs: clock.now() });
      if ('refusal' in understood) return store.looked(id, clock.now());
      const { told } = understood;
      await system.exclusive(lockOfTenant(told.tenantId), () =>
        system.write((db) => subscriptions.record(db, told)),
      );
    });
    letters.soon();
  }

  async function endExtra(row: SubscriptionRow): Promise<void> {
    const { subscription_id: id, tenant_id: tenantId } = row;
    await payments?.endSubscription(id);
    await lookAt(row);
    log.error(`the second subscription ${id} of tenant ${tenantId} was ended at the provider`);
  }

  async function lookAtCheckout({ checkout_id: id }: CheckoutRow): Promise<void> {
    const page: Checkout | null = (await payments?.checkout(id)) ?? null;
    if (page === null || page.status === 'expired') return checkouts.close(id);
    await checkouts.looked(id, clock.now());
    if (page.status !== 'complete') return;
    const lock = page.subscriptionId === null ? lockOfCheckout(id) : lockOfSubscription(page.subscriptionId);
    await system.exclusive(lock, async () => {
      const effect = await webhooks().ofCheckout(page, clock.now());
      if (effect.tenantId === null) return;
      const done = await system.exclusive(lockOfTenant(effect.tenantId), () => system.write(effect.apply));
      if (done.alarm !== undefined) log.error(`billing checkout ${id}: ${done.alarm}`);
    });
    letters.soon();
  }

  /**
   * One that fails goes to the back and keeps no other from its turn, but nobody waits for each while the provider is away. Even then one
   * goes to the back: the provider may be away for it alone.
   */
  async function each<Item>(items: readonly Item[], { signal, work, setBack }: Turns<Item>): Promise<void> {
    let failure: unknown = null;
    for (const item of items) {
      if (signal.aborted) return;
      await work(item).catch(async (error: unknown) => {
        await setBack(item);
        if (isAway(error)) throw error;
        failure = error;
      });
    }
    if (failure !== null) throw failure;
  }

  async function cleanUp(nowMs: number): Promise<void> {
    if (nowMs - cleanedAt < HOUR_MS) return;
    await events.removeBefore(nowMs - EVENTS_KEPT_MS);
    cleanedAt = nowMs;
  }

  async function pass(signal: AbortSignal): Promise<void> {
    const nowMs = clock.now();
    const problems: string[] = [];
    let answers = payments !== null;
    const attempt = async (work: Promise<void>) => {
      await work.catch((error: unknown) => {
        problems.push(messageOf(error));
        if (isAway(error)) answers = false;
      });
    };
    const hourAgo = nowMs - HOUR_MS;
    const setBack = ({ subscription_id: id }: SubscriptionRow) => store.looked(id, nowMs);
    const setPageBack = ({ checkout_id: id }: CheckoutRow) => checkouts.looked(id, nowMs);
    const turns = { signal, setBack };
    await attempt(each(await store.endedGraces(nowMs), { ...turns, work: endGrace }));
    if (answers) await attempt(each(await store.extra(), { ...turns, work: endExtra }));
    const silence = { endedBy: hourAgo, lookedBy: hourAgo, nowMs };
    if (answers) await attempt(each(await store.silent(silence), { ...turns, work: lookAt }));
    if (answers)
      await attempt(
        each(await checkouts.silent(hourAgo), { signal, work: lookAtCheckout, setBack: setPageBack }),
      );
    await attempt(cleanUp(nowMs));
    if (problems.length > 0) throw new Error(problems.join('; '));
  }

  const work = createRegularWork({
    what: 'the upkeep of billing',
    everyMs: EVERY_MS,
    log,
    work: (signal) => unlessBusy(system, 'billing upkeep', () => pass(signal)),
  });
  return { ...work, pass };
}

export type Upkeep = ReturnType<typeof createUpkeep>;
