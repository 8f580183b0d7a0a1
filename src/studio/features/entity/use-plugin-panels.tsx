import { type ReactNode, Suspense } from 'react';
import type { EntityAddress } from '../../data/entity.ts';
import { usePluginParts } from '../../data/plugins/parts.ts';
import { usePanels } from '../../data/plugins/plugins.ts';
import { isLocalId } from '../../domain/drafts/draft.ts';
import type { PanelLocation } from '../../domain/plugins/plugin-list.ts';

/** The panels of plugins at a place of the page; null where there are none, so that nothing of plugins is loaded. */
export function usePluginPanels(location: PanelLocation, entity: EntityAddress): ReactNode {
  const parts = usePluginParts();
  const surfaces = usePanels(entity.project, location, entity.type);
  if (!parts || !surfaces || surfaces.length === 0 || isLocalId(entity.id)) return null;
  return (
    <Suspense>
      <parts.Panels surfaces={surfaces} entity={entity} canFold={location === 'entity-sidebar'} />
    </Suspense>
  );
}
