import type Stripe from 'stripe';
import { type PaymentPrice, type PaymentProduct, PaymentsError, type ProductPlan } from '../payments.ts';
import { type Json, metadataIn, textIn } from './json.ts';
import { MARKS, productOf, readPrice, readProduct } from './read-catalog.ts';
import type { StripeCaller } from './stripe-client.ts';

/** The products for sale. */
export async function listProducts({ all }: StripeCaller): Promise<PaymentProduct[]> {
  const [products, prices] = await Promise.all([
    all((stripe, page) => stripe.products.list({ ...page, active: true })),
    all((stripe, page) => stripe.prices.list({ ...page, active: true })),
  ]);
  const byProduct = Map.groupBy(prices, productOf);
  return products.flatMap((product) => {
    const own = byProduct.get(textIn(product.id)) ?? [];
    return (
      readProduct(
        product,
        own.map(readPrice).filter((price) => price !== null),
      ) ?? []
    );
  });
}

/** The product keeps its id. A price cannot be changed: another one takes its place, and subscriptions keep the old one. */
export async function putProduct(caller: StripeCaller, plan: ProductPlan): Promise<void> {
  const products = await caller.all((stripe, page) => stripe.products.list(page));
  const before = products.find(({ metadata }) => metadataIn(metadata)[MARKS.code] === plan.code);
  const { name, description } = plan;
  const metadata = marksOf(plan);
  const beforeId = textIn(before?.id);
  const { id } = await caller.call((stripe) =>
    beforeId === null
      ? stripe.products.create({ name, ...(description !== '' && { description }), metadata })
      : stripe.products.update(beforeId, { name, description, metadata, active: true }),
  );
  await putPrices(caller, id, plan.prices);
}

/** An empty mark removes one of before. */
const marksOf = ({ code, plan, credits, perSeat }: ProductPlan): Record<string, string> => ({
  [MARKS.code]: code,
  [MARKS.plan]: plan ?? '',
  [MARKS.credits]: credits === null ? '' : String(credits),
  [MARKS.perSeat]: perSeat ? 'true' : '',
});

type WantedPrice = ProductPlan['prices'][number];

async function putPrices(caller: StripeCaller, product: string, wanted: WantedPrice[]): Promise<void> {
  const before = await caller.all((stripe, page) => stripe.prices.list({ ...page, product }));
  const kept = new Set<string>();
  for (const price of wanted) kept.add(await putPrice(caller, { product, price, before }));
  const [first] = kept;
  // The provider refuses to retire a product's default price.
  await caller.call((stripe) => stripe.products.update(product, { default_price: first ?? '' }));
  for (const { id, active } of before) {
    const priceId = textIn(id);
    if (active === true && priceId !== null && !kept.has(priceId))
      await caller.call((stripe) => stripe.prices.update(priceId, { active: false }));
  }
}

/** Uses a price of before, also one that was retired: returns its id. */
async function putPrice(
  { call }: StripeCaller,
  { product, price, before }: { product: string; price: WantedPrice; before: Json[] },
): Promise<string> {
  const same = before.filter((each) => isSame(readPrice(each), price));
  const found = same.find(({ active }) => active === true) ?? same[0];
  const foundId = textIn(found?.id);
  if (found?.active === true && foundId !== null) return foundId;
  const { id } = await call((stripe) =>
    foundId === null
      ? stripe.prices.create(newPrice(product, price))
      : stripe.prices.update(foundId, { active: true }),
  );
  return id;
}

const isSame = (a: PaymentPrice | null, b: WantedPrice): boolean =>
  a !== null && a.amount === b.amount && a.currency === b.currency && a.interval === b.interval;

function newPrice(product: string, { amount, currency, interval }: WantedPrice): Stripe.PriceCreateParams {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new PaymentsError('invalid', 'A price is a whole number of the smallest unit');
  return { product, unit_amount: amount, currency, ...(interval !== null && { recurring: { interval } }) };
}
