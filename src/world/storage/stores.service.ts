import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { conflict } from '../../kit/errors.ts';
import { createLastUsed } from '../../kit/last-used.ts';
import type { BlobPlace, BlobStore, Capacity } from '../../platform/blobs/blobs.ts';
import { prefixed } from '../../platform/blobs/prefixed.ts';
import type { LocalStorage, SettingsService } from './settings.service.ts';

export interface StoresOptions {
  settings: SettingsService;
  local: LocalStorage | null;
  open: (place: BlobPlace) => Promise<BlobStore>;
}

export interface Stores {
  /** The store of a project's files. Call it for each piece of work, since settings change; do not close the store. 409 without storage. */
  of(tenantId: string, projectId: string): Promise<BlobStore>;
  place(tenantId: string): Promise<BlobPlace>;
  capacity(tenantId: string): Promise<Capacity | null>;
  close(): Promise<void>;
}

/** Open stores; a released one closes its connections when they are idle. */
const MOST_OPEN = 500;

interface Opened {
  revision: string;
  store: Promise<BlobStore>;
}

export function createStores({ settings, local, open }: StoresOptions): Stores {
  const opened = createLastUsed<Opened>({ most: MOST_OPEN });

  function openOnce(tenantId: string, revision: string, place: BlobPlace): Promise<BlobStore> {
    const known = opened.get(tenantId);
    if (known?.revision === revision) return known.store;
    // The former store stays open for its readers; its connections end when they are idle.
    const store = open(place);
    opened.set(tenantId, { revision, store });
    store.catch(() => opened.delete(tenantId));
    return store;
  }

  const defaultPlace = (projectId: string): BlobPlace => {
    if (local === null)
      throw conflict('No storage is set: PUT /api/settings/storage sets it', {
        code: 'storage_not_configured',
      });
    return { provider: 'local', path: local.folderOf(projectId) };
  };

  const of: Stores['of'] = async (tenantId, projectId) => {
    const current = await settings.current(tenantId);
    if (current === null) return open(defaultPlace(projectId));
    return prefixed(await openOnce(tenantId, current.revision, current.place), `${tenantId}/${projectId}/`);
  };

  return {
    of,
    place: async (tenantId) => (await settings.current(tenantId))?.place ?? defaultPlace(DEFAULT_PROJECT),
    capacity: async (tenantId) => (await of(tenantId, DEFAULT_PROJECT)).capacity(),
    async close() {
      const stores = await Promise.allSettled(opened.values().map(({ store }) => store));
      for (const each of stores) if (each.status === 'fulfilled') await each.value.close();
    },
  };
}
