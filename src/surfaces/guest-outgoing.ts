import type { Outgoing } from '../platform/outgoing/outgoing.ts';
import { type EndpointSettings, privateEndpointsOf } from './blobs.ts';

/** The connections for requests of plugins' guests, made when the first one is sent. */
export function guestOutgoing(config: EndpointSettings): () => Promise<Outgoing> {
  let opening: Promise<Outgoing> | undefined;
  return () => {
    opening ??= Promise.all([
      import('../platform/outgoing/outgoing.ts'),
      import('../platform/outgoing/resolve.ts'),
    ]).then(([{ createOutgoing }, { createResolve }]) =>
      createOutgoing({ privateEndpoints: privateEndpointsOf(config), resolve: createResolve() }),
    );
    return opening;
  };
}
