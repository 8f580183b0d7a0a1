import { useState } from 'react';
import { answerPlugin } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { PermissionNames } from './permission-names.tsx';
import { permissionMeaning, permissionTexts, permissionWords } from './permission-words.ts';
import { useAction } from './use-action.ts';

/** Asks an admin for each thing that a plugin wants to do beyond reading. */
export function ConsentDialog({ plugin, onClose }: { plugin: Plugin; onClose: () => void }) {
  const texts = useTexts(manageTexts);
  const words = useTexts(permissionTexts);
  const { project } = useWorld();
  const { isPending, fault, run } = useAction();
  const wanted = plugin.permissions.filter(({ needs_consent: needs }) => needs);
  const without = plugin.permissions.filter(({ needs_consent: needs }) => !needs);
  const [marked, setMarked] = useState<ReadonlySet<string>>(
    new Set(wanted.filter(({ state }) => state !== 'refused').map(({ permission }) => permission)),
  );

  function mark(permission: string, isMarked: boolean) {
    const others = [...marked].filter((one) => one !== permission);
    setMarked(new Set(isMarked ? [...others, permission] : others));
  }

  async function answer(permissions: string[]) {
    if (await run(() => answerPlugin(project, plugin.id, permissions))) onClose();
  }

  return (
    <Dialog
      title={texts.consent(plugin.name)}
      isOpen
      onClose={onClose}
      closeLabel={texts.close}
      actions={
        <>
          <Button onPress={() => void answer([])} isDisabled={isPending}>
            {texts.consentNone}
          </Button>
          <Button tone="primary" isPending={isPending} onPress={() => void answer([...marked])}>
            {texts.consentTake}
          </Button>
        </>
      }
    >
      <div className={styles.section}>
        <p className={styles.quiet}>{texts.consentWhy}</p>
        {wanted.map(({ permission }) => (
          <Checkbox
            key={permission}
            label={permissionWords(permission, words)}
            help={permissionMeaning(permission, words)}
            isChecked={marked.has(permission)}
            onChange={(isMarked) => mark(permission, isMarked)}
          />
        ))}
        {(without.length > 0 || plugin.has_guest) && (
          <div className={styles.quiet}>
            <p>{texts.without}</p>
            <PermissionNames permissions={without} more={plugin.has_guest ? texts.runs : null} />
          </div>
        )}
        {fault !== null && <Notice tone="error">{fault}</Notice>}
      </div>
    </Dialog>
  );
}
