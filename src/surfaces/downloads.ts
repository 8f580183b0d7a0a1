import type { Downloads } from '../platform/outgoing/downloads.ts';
import { type EndpointSettings, privateEndpointsOf } from './blobs.ts';

/** The way to servers that the settings name, loaded on first use: few services need it. */
export function openDownloads(config: EndpointSettings): Downloads {
  let opening: Promise<Downloads> | undefined;
  const opened = (): Promise<Downloads> => {
    opening ??= import('../platform/outgoing/downloads.ts').then(({ createDownloads }) =>
      createDownloads({ privateEndpoints: privateEndpointsOf(config) }),
    );
    return opening;
  };
  return {
    get: async (request, read) => (await opened()).get(request, read),
    close: () => void opening?.then((downloads) => downloads.close()),
  };
}
