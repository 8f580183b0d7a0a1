import { ApiError } from './api-error.ts';
import {
  createPrice,
  createProduct,
  listPrices,
  listProducts,
  updatePrice,
  updateProduct,
} from './catalog.ts';
import { updateSubscription } from './change-subscription.ts';
import { createCheckout, expireCheckout, retrieveCheckout } from './checkouts.ts';
import {
  createCustomer,
  createPortalSession,
  listCustomers,
  searchCustomers,
  updateCustomer,
} from './customers.ts';
import { createEndpoint, deleteEndpoint, listEndpoints, updateEndpoint } from './endpoints.ts';
import type { FormTree } from './form.ts';
import { listInvoices, retrieveInvoice } from './invoices.ts';
import type { EventObject } from './objects.ts';
import { get, pageOf } from './paging.ts';
import { createPortal, listPortals } from './portals.ts';
import type { Store } from './store.ts';
import { cancelSubscription, listSubscriptions, retrieveSubscription } from './subscriptions.ts';

type Handler = (store: Store, params: FormTree, id: string) => object;

const PAGE = ['limit', 'starting_after'];

const retrieve =
  (of: (store: Store) => Map<string, object>, what: string): Handler =>
  (store, _params, id) =>
    get(of(store), what, id);

/** By method and path, with the parameters that they take: others are refused, as by the provider. */
const ROUTES: [route: string, handler: Handler, params: string[]][] = [
  ['GET /v1/balance', () => ({ object: 'balance', available: [], livemode: false, pending: [] }), []],
  ['GET /v1/products', listProducts, [...PAGE, 'active']],
  ['POST /v1/products', createProduct, ['name', 'description', 'metadata', 'active']],
  ['GET /v1/products/:id', retrieve(({ products }) => products, 'product'), []],
  ['POST /v1/products/:id', updateProduct, ['name', 'description', 'metadata', 'active', 'default_price']],
  ['GET /v1/prices', listPrices, [...PAGE, 'active', 'product']],
  ['POST /v1/prices', createPrice, ['product', 'unit_amount', 'currency', 'recurring', 'metadata', 'active']],
  ['GET /v1/prices/:id', retrieve(({ prices }) => prices, 'price'), []],
  ['POST /v1/prices/:id', updatePrice, ['active', 'metadata']],
  ['GET /v1/customers', listCustomers, PAGE],
  ['GET /v1/customers/search', searchCustomers, ['query', 'limit', 'page']],
  ['POST /v1/customers', createCustomer, ['name', 'email', 'metadata']],
  ['GET /v1/customers/:id', retrieve(({ customers }) => customers, 'customer'), []],
  ['POST /v1/customers/:id', updateCustomer, ['name', 'email', 'metadata']],
  [
    'POST /v1/checkout/sessions',
    createCheckout,
    [
      'mode',
      'customer',
      'line_items',
      'client_reference_id',
      'metadata',
      'subscription_data',
      'payment_intent_data',
      'invoice_creation',
      'success_url',
      'cancel_url',
    ],
  ],
  ['GET /v1/checkout/sessions/:id', retrieveCheckout, ['expand']],
  ['POST /v1/checkout/sessions/:id/expire', expireCheckout, []],
  ['POST /v1/billing_portal/sessions', createPortalSession, ['customer', 'return_url', 'configuration']],
  ['GET /v1/billing_portal/configurations', listPortals, [...PAGE, 'active']],
  ['POST /v1/billing_portal/configurations', createPortal, ['features', 'metadata', 'name']],
  ['GET /v1/subscriptions', listSubscriptions, [...PAGE, 'customer', 'status']],
  ['GET /v1/subscriptions/:id', retrieveSubscription, []],
  [
    'POST /v1/subscriptions/:id',
    updateSubscription,
    ['items', 'cancel_at_period_end', 'proration_behavior', 'payment_behavior', 'metadata'],
  ],
  ['DELETE /v1/subscriptions/:id', cancelSubscription, []],
  ['GET /v1/invoices', listInvoices, [...PAGE, 'customer', 'subscription']],
  ['GET /v1/invoices/:id', retrieveInvoice, []],
  ['GET /v1/webhook_endpoints', listEndpoints, PAGE],
  ['POST /v1/webhook_endpoints', createEndpoint, ['url', 'enabled_events', 'api_version', 'metadata']],
  ['POST /v1/webhook_endpoints/:id', updateEndpoint, ['url', 'enabled_events', 'disabled']],
  ['DELETE /v1/webhook_endpoints/:id', deleteEndpoint, []],
  ['GET /v1/events', ({ events }, params) => pageOf(events, params, '/v1/events'), PAGE],
  [
    'GET /v1/events/:id',
    ({ events }, _params, id) =>
      get(new Map(events.map((each): [string, EventObject] => [each.id, each])), 'event', id),
    [],
  ],
];

/** Does what a request asks for. */
export function handle(store: Store, method: string, path: string, params: FormTree): object {
  for (const [route, handler, known] of ROUTES) {
    const id = match(route, `${method} ${path}`);
    if (id === null) continue;
    const unknown = Object.keys(params).find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new ApiError(400, {
        code: 'parameter_unknown',
        message: `Received unknown parameter: ${unknown}`,
        param: unknown,
      });
    return handler(store, params, id);
  }
  throw new ApiError(404, { message: `Unrecognized request URL (${method}: ${path}).` });
}

/** The id in it, an empty text if it has none, or null if it is another route. */
function match(route: string, asked: string): string | null {
  const pattern = new RegExp(`^${route.replace(':id', '([^/]+)')}$`);
  const found = pattern.exec(asked);
  return found && decodeURIComponent(found[1] ?? '');
}
