import { useCatalog } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import { updatesIn } from '../../../domain/plugins/catalog-list.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Notice } from '../../../kit/ui/notice.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { InstallButton } from './install-button.tsx';
import { useInstall } from './use-install.ts';

interface PluginUpdateProps {
  id: string;
  onInstalled: (plugin: Plugin) => void;
}

/** Nothing where the catalog has no newer version. */
export function PluginUpdate({ id, onInstalled }: PluginUpdateProps) {
  const texts = useTexts(catalogTexts);
  const { project } = useWorld();
  const { isPending, fault, install } = useInstall(id, onInstalled);
  const update = updatesIn(useCatalog(project).data?.items ?? []).get(id);
  if (!update) return null;
  return (
    <>
      <Notice actions={<InstallButton item={update} isPending={isPending} onPress={() => void install()} />}>
        {texts.hasUpdate(update.version)}
      </Notice>
      {fault !== null && <Notice tone="error">{fault}</Notice>}
    </>
  );
}
