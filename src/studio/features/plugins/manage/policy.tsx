import { useState } from 'react';
import { savePluginPolicy, usePluginPolicy } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import { isSame } from '../../../domain/field-path.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { RadioGroup } from '../../../kit/ui/radio-group.tsx';
import { TagField } from '../../../kit/ui/tag-field.tsx';
import { showToast } from '../../../kit/ui/toasts.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { useAction } from './use-action.ts';

/** Which plugins may run, in all worlds of the team. */
export function Policy({ plugins }: { plugins: readonly Plugin[] }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { data } = usePluginPolicy(project);
  const [edited, setEdited] = useState<readonly string[] | null>();
  const { isPending, fault, run } = useAction();
  if (!data) return null;
  const allowed = edited === undefined ? data.allowed : edited;

  async function save() {
    if (!(await run(() => savePluginPolicy(project, allowed && [...allowed])))) return;
    // The list can be edited while it is saved.
    setEdited((now) => (isSame(now, allowed) ? undefined : now));
    showToast({ tone: 'success', text: texts.policySaved });
  }

  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{texts.policy}</h2>
      <p className={styles.quiet}>{texts.policyWhy}</p>
      <div className={styles.form}>
        <RadioGroup
          label={texts.policy}
          isLabelHidden
          options={[
            { id: 'any', label: texts.policyAny },
            { id: 'listed', label: texts.policyListed },
          ]}
          value={allowed === null ? 'any' : 'listed'}
          onChange={(id) =>
            setEdited(id === 'any' ? null : (data.allowed ?? plugins.map((plugin) => plugin.id)))
          }
        />
        {allowed !== null && (
          <TagField
            label={texts.policyIds}
            tags={allowed}
            onChange={setEdited}
            suggestions={plugins.map(({ id }) => id)}
            moreText={texts.moreEntries}
          />
        )}
        {fault !== null && <Notice tone="error">{fault}</Notice>}
        {edited !== undefined && (
          <div className={styles.buttons}>
            <Button tone="primary" isPending={isPending} onPress={() => void save()}>
              {texts.save}
            </Button>
            <Button onPress={() => setEdited(undefined)}>{texts.cancel}</Button>
          </div>
        )}
      </div>
    </section>
  );
}
