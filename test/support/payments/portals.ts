import { ApiError } from './api-error.ts';
import { type FormTree, flagOf, mergeMetadata, treeOf } from './form.ts';
import type { PortalConfiguration } from './objects.ts';
import { pageOf } from './paging.ts';
import { baseOf, type Store } from './store.ts';

const FEATURES = [
  'customer_update',
  'invoice_history',
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
] as const;

/** A configuration says what customers may do in the portal. */
export function createPortal(store: Store, params: FormTree): PortalConfiguration {
  const wanted = treeOf(params, 'features');
  if (Object.keys(wanted).length === 0)
    throw new ApiError(400, {
      message: 'Missing required param: features.',
      param: 'features',
      code: 'parameter_missing',
    });
  const isOn = (name: string) => flagOf(treeOf(wanted, name), 'enabled') ?? false;
  const portal: PortalConfiguration = {
    ...baseOf(store, 'bpc', mergeMetadata(params)),
    object: 'billing_portal.configuration',
    active: true,
    is_default: false,
    features: Object.fromEntries(FEATURES.map((name) => [name, { enabled: isOn(name) }])),
  };
  store.portals.set(portal.id, portal);
  return portal;
}

export function listPortals(store: Store, params: FormTree) {
  const active = flagOf(params, 'active');
  const found = [...store.portals.values()].filter((each) => active === undefined || each.active === active);
  return pageOf(found, params, '/v1/billing_portal/configurations');
}
