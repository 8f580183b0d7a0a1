import { type Route, route } from '../../kit/route.ts';
import type { ContentPlaces } from './content-places.ts';
import { isSameLocation } from './sealed-place.ts';
import type { LocalStorage, SettingsService } from './settings.service.ts';
import { locationOf, shownLocation, shownPlace } from './shown-place.ts';
import { getStorageInfo, getStorageSettings, putStorageSettings } from './storage.contract.ts';
import type { Stores } from './stores.service.ts';

export function storageRoutes(options: {
  settings: SettingsService;
  stores: Stores;
  places: ContentPlaces;
  local: LocalStorage | null;
}): Route[] {
  const { settings, stores, places, local } = options;

  async function shownSettings(tenantId: string) {
    const current = await settings.current(tenantId);
    const { place: at } = await places.of(tenantId);
    const content = { ...shownLocation(at), is_here: isSameLocation(at, current?.place ?? null) };
    const nobody = { content, updated_at: null, updated_by: null };
    if (current !== null) {
      const { place, updatedAt, updatedBy } = current;
      return {
        configured: true,
        is_default: false,
        ...shownPlace(place),
        content,
        updated_at: updatedAt,
        updated_by: updatedBy,
      };
    }
    if (local === null) return { configured: false, is_default: true, provider: null, ...nobody };
    return { configured: true, is_default: true, ...shownPlace(await stores.place(tenantId)), ...nobody };
  }

  return [
    route(getStorageSettings, ({ tenantId }) => shownSettings(tenantId)),
    route(putStorageSettings, async ({ tenantId, body, actor }) => {
      await settings.change(tenantId, body, actor);
      return shownSettings(tenantId);
    }),
    route(getStorageInfo, async ({ tenantId }) => {
      const place = await stores.place(tenantId);
      const capacity = await stores.capacity(tenantId);
      return {
        provider: place.provider,
        location: locationOf(place),
        endpoint: place.provider === 'local' ? null : (place.endpoint ?? null),
        total_bytes: capacity?.total ?? null,
        available_bytes: capacity?.available ?? null,
        used_bytes: capacity && capacity.total - capacity.free,
      };
    }),
  ];
}
