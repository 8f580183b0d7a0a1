import type { EntityAddress } from '../../data/entity.ts';
import { pluginParts, usePlugins } from '../../data/plugins/plugins.ts';
import { useStore } from '../../data/store.ts';
import { panelsAt, partName } from '../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { pluginTabTexts } from './plugin-tab-texts.ts';

interface PluginTabProps {
  /** `plugin:{plugin}:{panel}` */
  name: string;
  entity: EntityAddress;
}

/** The tab of a plugin, or the reason for which there is none. */
export function PluginTab({ name, entity }: PluginTabProps) {
  const texts = useTexts(pluginTabTexts);
  const parts = useStore(pluginParts);
  const { data: plugins, error } = usePlugins(entity.project);
  const surfaces = plugins && panelsAt(plugins, 'entity-tab', entity.type);
  const surface = surfaces?.find(({ plugin, id }) => partName(plugin.id, id) === name);
  if (surface && parts) return <parts.Tab surface={surface} entity={entity} />;
  if (surface || (!plugins && !error)) return <Skeleton lines={6} height="2rem" />;
  return <EmptyState title={texts.gone}>{texts.goneWhy}</EmptyState>;
}
