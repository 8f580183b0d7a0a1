import { ApiError } from './api-error.ts';
import { type FormTree, mergeMetadata, needed, numberOf, textOf } from './form.ts';
import type { Customer } from './objects.ts';
import { get, pageOf } from './paging.ts';
import { baseOf, newId, type Store } from './store.ts';

export function createCustomer(store: Store, params: FormTree): Customer {
  const customer: Customer = {
    ...baseOf(store, 'cus', mergeMetadata(params)),
    object: 'customer',
    balance: 0,
    delinquent: false,
    email: textOf(params, 'email') || null,
    name: textOf(params, 'name') || null,
  };
  store.customers.set(customer.id, customer);
  return customer;
}

export function updateCustomer(store: Store, params: FormTree, id: string): Customer {
  const customer = get(store.customers, 'customer', id);
  customer.metadata = mergeMetadata(params, customer.metadata);
  customer.email = (textOf(params, 'email') ?? customer.email) || null;
  customer.name = (textOf(params, 'name') ?? customer.name) || null;
  return customer;
}

export const listCustomers = (store: Store, params: FormTree) =>
  pageOf(store.customers.values(), params, '/v1/customers');

/** Knows queries for one name of the metadata. */
export function searchCustomers(store: Store, params: FormTree) {
  const query = needed(params, 'query');
  const [, name, value] = /^metadata\['([^']+)'\]:'((?:[^'\\]|\\.)*)'$/.exec(query) ?? [];
  if (name === undefined || value === undefined)
    throw new ApiError(400, {
      message: `We were unable to parse your search query: ${query}`,
      param: 'query',
    });
  const before = (store.now() - store.searchLagMs) / 1000;
  const found = [...store.customers.values()].filter(
    ({ metadata, created }) => metadata[name] === value.replaceAll(/\\(.)/g, '$1') && created <= before,
  );
  const data = found.reverse().slice(0, numberOf(params, 'limit') ?? 10);
  const more = found.length > data.length;
  return { object: 'search_result', data, has_more: more, next_page: null, url: '/v1/customers/search' };
}

export function createPortalSession(store: Store, params: FormTree) {
  const customer = get(store.customers, 'customer', needed(params, 'customer'), 'customer');
  const portal = textOf(params, 'configuration');
  if (portal !== undefined) get(store.portals, 'portal configuration', portal, 'configuration');
  const id = newId('bps');
  return {
    id,
    object: 'billing_portal.session',
    configuration: portal ?? null,
    created: store.seconds(),
    customer: customer.id,
    livemode: false,
    return_url: textOf(params, 'return_url') ?? null,
    url: `https://billing.example.com/p/session/${id}`,
  };
}
