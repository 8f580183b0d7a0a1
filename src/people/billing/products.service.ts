import { setTimeout as pause } from 'node:timers/promises';
import { isPlanName, type PlanName } from '../../access/plans.ts';
import { messageOf } from '../../kit/errors.ts';
import type { PaidSubscription, PaymentProduct } from '../../platform/payments/payments.ts';
import { CATALOG } from './catalog.ts';
import type { BillingContext } from './context.ts';
import { createProductStore } from './products.store.ts';

const FRESH_MS = 5 * 60_000;
/** Open routes answer within two seconds, also while the provider hangs. */
const PATIENCE_MS = 1_200;
/** After a failure, open routes answer with what is known, and ask again only after this time. */
const REST_MS = 10_000;

interface Known {
  products: PaymentProduct[];
  asOf: number;
}

export interface ShownProducts {
  source: 'provider' | 'cache' | 'none';
  products: PaymentProduct[];
  asOf: number | null;
}

/** The plan that a subscription is to. */
export interface Offer {
  plan: PlanName;
  isPerSeat: boolean;
}

/** The products for sale: asked of the provider every five minutes, and kept in a table for the time when it does not answer. */
export function createProducts({ database, payments, clock, log }: BillingContext) {
  const store = createProductStore(database.system);
  let known: Known | null = null;
  let fetching: Promise<Known> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function fetchAll(): Promise<Known> {
    if (payments === null) return { products: [], asOf: clock.now() };
    try {
      const found = { products: await payments.products(), asOf: clock.now() };
      await store.put(JSON.stringify(found.products), found.asOf);
      known = found;
      return found;
    } catch (error) {
      failedAt = clock.now();
      log.warn(`the prices could not be fetched: ${messageOf(error)}`);
      throw error;
    }
  }

  function fetchOnce(): Promise<Known> {
    fetching ??= fetchAll().finally(() => {
      fetching = null;
    });
    return fetching;
  }

  const freshKnown = (): Known | null =>
    known !== null && clock.now() - known.asOf < FRESH_MS ? known : null;

  /** Rejects with a `PaymentsError` while the provider does not answer. */
  const fresh = async (): Promise<PaymentProduct[]> => (freshKnown() ?? (await fetchOnce())).products;

  async function stored(): Promise<Known | null> {
    if (known !== null) return known;
    const row = await store.read();
    return row && { products: JSON.parse(row.body), asOf: row.asOf };
  }

  async function found(): Promise<Known | null> {
    const now = freshKnown();
    if (now !== null || clock.now() - failedAt < REST_MS) return now;
    const late = new AbortController();
    const waited = pause(PATIENCE_MS, null, { signal: late.signal }).catch(() => null);
    const first = await Promise.race([fetchOnce().catch(() => null), waited]);
    late.abort();
    // The fetch may go on: nobody else waits for it meanwhile.
    if (first === null) failedAt = clock.now();
    return first;
  }

  /** For open routes: never late, with what was last known while the provider does not answer. */
  async function shown(): Promise<ShownProducts> {
    if (payments === null) return { source: 'none', products: [], asOf: null };
    const now = await found();
    if (now !== null) return { source: 'provider', ...now };
    const last = await stored();
    return last === null ? { source: 'none', products: [], asOf: null } : { source: 'cache', ...last };
  }

  const offerIn = (products: readonly PaymentProduct[], productId: string): Offer | null => {
    const product = products.find((each) => each.productId === productId);
    return product && isPlanName(product.plan) ? { plan: product.plan, isPerSeat: product.perSeat } : null;
  };

  /** By its product; by its metadata where no key asks the provider for products. Null if it is to no plan of ours. */
  async function offerOf({
    productId,
    metadata,
  }: Pick<PaidSubscription, 'productId' | 'metadata'>): Promise<Offer | null> {
    if (payments !== null) {
      const now = freshKnown();
      return (now && offerIn(now.products, productId)) ?? offerIn((await fetchOnce()).products, productId);
    }
    const last = offerIn((await stored())?.products ?? [], productId);
    if (last !== null || !isPlanName(metadata.plan)) return last;
    const { perSeat = false } = CATALOG.find(({ plan }) => plan === metadata.plan) ?? {};
    return { plan: metadata.plan, isPerSeat: perSeat };
  }

  return { fresh, shown, offerOf };
}

export type Products = ReturnType<typeof createProducts>;
