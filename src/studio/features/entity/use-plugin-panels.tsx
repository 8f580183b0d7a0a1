import { type ReactNode, Suspense } from 'react';
import type { EntityAddress } from '../../data/entity.ts';
import { pluginParts } from '../../data/plugins/plugins.ts';
import { useStore } from '../../data/store.ts';
import { isLocalId } from '../../domain/drafts/draft.ts';
import type { PanelLocation } from '../../domain/plugins/plugin-list.ts';

/** The panels of plugins at a place of the page; null where there are none. */
export function usePluginPanels(location: PanelLocation, entity: EntityAddress): ReactNode {
  const parts = useStore(pluginParts);
  const surfaces = parts?.panelsAt(location, entity.type) ?? [];
  if (!parts || surfaces.length === 0 || isLocalId(entity.id)) return null;
  return (
    <Suspense>
      <parts.Panels surfaces={surfaces} entity={entity} canFold={location === 'entity-sidebar'} />
    </Suspense>
  );
}
