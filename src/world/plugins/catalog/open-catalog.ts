import type { CoreContext } from '../../../frame/context.ts';
import type { Downloads } from '../../../platform/outgoing/downloads.ts';
import { createAddressSource } from './address-source.ts';
import type { CatalogOptions } from './catalog.service.ts';
import { createCatalogReader } from './catalog-reader.ts';
import { createFileSource } from './file-source.ts';

type Context = Pick<CoreContext, 'config' | 'database' | 'clock' | 'log'> & { downloads: Downloads };

/** The catalog that the installation names; null if it names none. */
export function openCatalog({ config, downloads, ...rest }: Context): CatalogOptions['place'] {
  const { pluginCatalog: place, pluginCatalogKey: publicKey } = config;
  if (place === null || publicKey === null) return null;
  const source =
    place.kind === 'file'
      ? createFileSource(place.path, downloads)
      : createAddressSource({ url: place.url, downloads });
  return { source, read: createCatalogReader({ ...rest, source, publicKey }) };
}
