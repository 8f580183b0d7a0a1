import { installListed } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { showToast } from '../../../kit/ui/toasts.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { useAction } from './use-action.ts';

/** Installs what the catalog has, or the newer version of what is installed. */
export function useInstall(id: string, onInstalled: (plugin: Plugin) => void) {
  const texts = useTexts(catalogTexts);
  const { project } = useWorld();
  const { isPending, fault, run } = useAction();
  return {
    isPending,
    fault,
    install: () =>
      run(async () => {
        const plugin = await installListed(project, id);
        showToast({ tone: 'success', text: texts.isThere(plugin.name, plugin.version) });
        onInstalled(plugin);
      }),
  };
}
