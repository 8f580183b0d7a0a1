import { ApiError } from './api-error.ts';
import { type FormTree, flagOf, mergeMetadata, needed, numberOf, textOf, treeOf } from './form.ts';
import type { Interval, Price, Product } from './objects.ts';
import { get, pageOf } from './paging.ts';
import { baseOf, type Store } from './store.ts';

export function createProduct(store: Store, params: FormTree): Product {
  const product: Product = {
    ...baseOf(store, 'prod', mergeMetadata(params)),
    object: 'product',
    active: flagOf(params, 'active') ?? true,
    default_price: null,
    description: textOf(params, 'description') || null,
    name: needed(params, 'name'),
    type: 'service',
  };
  store.products.set(product.id, product);
  return product;
}

export function updateProduct(store: Store, params: FormTree, id: string): Product {
  const product = get(store.products, 'product', id);
  product.metadata = mergeMetadata(params, product.metadata);
  product.name = textOf(params, 'name') ?? product.name;
  product.description = (textOf(params, 'description') ?? product.description) || null;
  product.active = flagOf(params, 'active') ?? product.active;
  product.default_price = (textOf(params, 'default_price') ?? product.default_price) || null;
  return product;
}

export const listProducts = (store: Store, params: FormTree) =>
  pageOf(withActive(store.products.values(), params), params, '/v1/products');

export function createPrice(store: Store, params: FormTree): Price {
  const product = get(store.products, 'product', needed(params, 'product'), 'product');
  const interval = textOf(treeOf(params, 'recurring'), 'interval');
  const amount = numberOf(params, 'unit_amount');
  if (amount === undefined)
    throw new ApiError(400, { code: 'parameter_missing', message: 'One of unit_amount is required.' });
  const price: Price = {
    ...baseOf(store, 'price', mergeMetadata(params)),
    object: 'price',
    active: flagOf(params, 'active') ?? true,
    billing_scheme: 'per_unit',
    currency: needed(params, 'currency').toLowerCase(),
    product: product.id,
    recurring:
      interval === undefined
        ? null
        : { interval: interval as Interval, interval_count: 1, usage_type: 'licensed' },
    type: interval === undefined ? 'one_time' : 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
  store.prices.set(price.id, price);
  return price;
}

export function updatePrice(store: Store, params: FormTree, id: string): Price {
  const price = get(store.prices, 'price', id);
  const active = flagOf(params, 'active') ?? price.active;
  if (!active && store.products.get(price.product)?.default_price === id)
    throw new ApiError(400, {
      message: 'This price cannot be archived because it is the default price of its product.',
    });
  price.metadata = mergeMetadata(params, price.metadata);
  price.active = active;
  return price;
}

export function listPrices(store: Store, params: FormTree) {
  const product = textOf(params, 'product');
  const prices = [...withActive(store.prices.values(), params)];
  return pageOf(
    prices.filter((price) => product === undefined || price.product === product),
    params,
    '/v1/prices',
  );
}

function withActive<Item extends { active: boolean }>(items: Iterable<Item>, params: FormTree): Item[] {
  const active = flagOf(params, 'active');
  return [...items].filter((each) => active === undefined || each.active === active);
}
