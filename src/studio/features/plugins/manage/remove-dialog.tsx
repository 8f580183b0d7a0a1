import { useState } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { removePlugin } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { goTo } from '../../../kit/router/router.ts';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { ConfirmDialog } from '../../../kit/ui/confirm-dialog.tsx';
import { showToast } from '../../../kit/ui/toasts.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { pluginsAddress } from './plugins-address.ts';

export function RemoveDialog({ plugin, onClose }: { plugin: Plugin; onClose: () => void }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const [isPurged, setPurged] = useState(false);

  async function remove() {
    await removePlugin(project, plugin.id, isPurged);
    showToast({ tone: 'success', text: texts.removed(plugin.name) });
    goTo(pluginsAddress(project), { replace: true });
  }

  return (
    <ConfirmDialog
      title={texts.removeTitle(plugin.name)}
      action={texts.removeDo}
      cancelLabel={texts.cancel}
      onConfirm={remove}
      onClose={onClose}
      faultOf={(error) => detailOf(error) ?? texts.unreachable}
    >
      <div className={styles.section}>
        <p>{texts.removeWhy}</p>
        <Checkbox label={texts.purge} isChecked={isPurged} onChange={setPurged} />
      </div>
    </ConfirmDialog>
  );
}
