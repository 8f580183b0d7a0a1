import type { EntityAddress } from '../../data/entity.ts';
import { usePluginParts } from '../../data/plugins/parts.ts';
import { partName, type Surface } from '../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { entityTexts } from './entity-texts.ts';

interface PluginTabProps {
  /** `plugin:{plugin}:{panel}` */
  name: string;
  /** Null until they are known. */
  surfaces: readonly Surface[] | null;
  entity: EntityAddress;
}

/** The tab of a plugin, or the reason for which there is none. */
export function PluginTab({ name, surfaces, entity }: PluginTabProps) {
  const texts = useTexts(entityTexts);
  const parts = usePluginParts();
  const surface = surfaces?.find(({ plugin, id }) => partName(plugin.id, id) === name);
  if (!surfaces) return <Skeleton lines={6} height="2rem" />;
  if (!parts || !surface) return <EmptyState title={texts.pluginGone}>{texts.pluginGoneWhy}</EmptyState>;
  return <parts.Tab surface={surface} entity={entity} />;
}
