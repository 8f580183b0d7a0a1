import { type FormTree, flagOf, mergeMetadata, needed, textOf, textsOf } from './form.ts';
import type { WebhookEndpoint } from './objects.ts';
import { get, pageOf } from './paging.ts';
import { API_VERSION, baseOf, newId, type Store } from './store.ts';

export function createEndpoint(store: Store, params: FormTree): WebhookEndpoint {
  const endpoint: WebhookEndpoint = {
    ...baseOf(store, 'we', mergeMetadata(params)),
    object: 'webhook_endpoint',
    api_version: textOf(params, 'api_version') ?? API_VERSION,
    enabled_events: textsOf(params, 'enabled_events'),
    status: 'enabled',
    url: needed(params, 'url'),
    secret: newId('whsec'),
  };
  store.endpoints.set(endpoint.id, endpoint);
  return endpoint;
}

export function updateEndpoint(store: Store, params: FormTree, id: string): WebhookEndpoint {
  const endpoint = get(store.endpoints, 'webhook endpoint', id);
  const disabled = flagOf(params, 'disabled');
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
  const events = textsOf(params, 'enabled_events');
  if (events.length > 0) endpoint.enabled_events = events;
  endpoint.url = textOf(params, 'url') ?? endpoint.url;
  return shown(endpoint);
}

export function listEndpoints(store: Store, params: FormTree) {
  const page = pageOf(store.endpoints.values(), params, '/v1/webhook_endpoints');
  return { ...page, data: page.data.map(shown) };
}

export function deleteEndpoint(store: Store, _params: FormTree, id: string): object {
  get(store.endpoints, 'webhook endpoint', id);
  store.endpoints.delete(id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

const shown = ({ secret: _, ...rest }: WebhookEndpoint): WebhookEndpoint => rest;
