import { type ReactNode, Suspense } from 'react';
import type { EntityAddress } from '../../data/entity.ts';
import { pluginParts } from '../../data/plugins/plugins.ts';
import { useStore } from '../../data/store.ts';
import { useSchema } from '../../data/types.ts';
import { isLocalId } from '../../domain/drafts/draft.ts';
import { placedBlocks } from '../../domain/form-layout.ts';
import { type PanelLocation, partName, type Surface } from '../../domain/plugins/plugin-list.ts';
import { useArranges } from './use-arrangement.ts';

/** The panels of plugins at a place of the page, but for those that the layout of the type places in the form. */
export function usePanelsAt(location: PanelLocation, { project, type }: EntityAddress): readonly Surface[] {
  const parts = useStore(pluginParts);
  const { data: schema, isPending } = useSchema(project, type);
  const arranges = useArranges();
  if (!parts || isPending) return [];
  const placed = new Set(arranges ? placedBlocks(schema) : []);
  return parts.panelsAt(location, type).filter(({ plugin, id }) => !placed.has(partName(plugin.id, id)));
}

/** The same as they are shown; null where there are none. */
export function usePluginPanels(location: PanelLocation, entity: EntityAddress): ReactNode {
  const parts = useStore(pluginParts);
  const surfaces = usePanelsAt(location, entity);
  if (!parts || surfaces.length === 0 || isLocalId(entity.id)) return null;
  return (
    <Suspense>
      <parts.Panels surfaces={surfaces} entity={entity} canFold={location === 'entity-sidebar'} />
    </Suspense>
  );
}
