import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import type { Receivers } from '../platform/outgoing/receivers.ts';
import { type EndpointSettings, privateEndpointsOf } from './blobs.ts';

/** What tests set: they look more often for what is to be sent, wait less, and reach receivers of their own in a cloud too. */
export interface WebhookSetup {
  everyMs?: number;
  withinMs?: number;
  privateEndpoints?: PrivateEndpoints;
}

/** The way to receivers, made with the first that is used: it loads Node's own fetch, which few services need. */
export function openReceivers(
  config: EndpointSettings,
  { privateEndpoints = privateEndpointsOf(config), withinMs }: WebhookSetup,
): Receivers {
  let opening: Promise<Receivers> | undefined;
  const opened = (): Promise<Receivers> => {
    opening ??= import('../platform/outgoing/receivers.ts').then(({ createReceivers }) =>
      createReceivers({ privateEndpoints, ...(withinMs && { withinMs }) }),
    );
    return opening;
  };
  return {
    secureOnly: privateEndpoints === 'refused',
    refusalOf: async (url) => (await opened()).refusalOf(url),
    post: async (posted) => (await opened()).post(posted),
    close: () => void opening?.then((receivers) => receivers.close()),
  };
}
