import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import type { Receivers } from '../platform/outgoing/receivers.ts';
import { type EndpointSettings, privateEndpointsOf } from './blobs.ts';

/** Settings of tests: they poll more often, wait less, and may reach local receivers in a cloud too. */
export interface WebhookSetup {
  everyMs?: number;
  withinMs?: number;
  privateEndpoints?: PrivateEndpoints;
}

/** The transport to webhook receivers, loaded on first use: it brings Node's own fetch, which few services need. */
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
