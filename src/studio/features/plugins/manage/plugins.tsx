import { useState } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { usePlugins } from '../../../data/plugins/plugins.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { AddPlugin } from './add-plugin.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { PluginCard } from './plugin-card.tsx';
import { Policy } from './policy.tsx';

/** The plugins of a world. Admins install and switch them; others see what there is. */
export function Plugins() {
  const texts = useTexts(manageTexts);
  const { project, can } = useWorld();
  const mayManage = can('manage_settings');
  const { data, error, refetch } = usePlugins(project);
  const [asked, setAsked] = useState<Plugin | null>(null);
  return (
    <Page title={texts.title} why={texts.why}>
      {mayManage && <AddPlugin onAdded={(plugin) => plugin.state === 'waiting' && setAsked(plugin)} />}
      {!data && error && (
        <Notice tone="error" actions={<Button onPress={() => void refetch()}>{texts.retry}</Button>}>
          {detailOf(error) ?? texts.failed}
        </Notice>
      )}
      {!data && !error && <Skeleton lines={4} height="4rem" />}
      {data && <Cards plugins={data} mayManage={mayManage} onAnswer={setAsked} />}
      {mayManage && <Policy plugins={data ?? []} />}
      {asked && <ConsentDialog key={asked.id} plugin={asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

interface CardsProps {
  plugins: readonly Plugin[];
  mayManage: boolean;
  onAnswer: (plugin: Plugin) => void;
}

function Cards({ plugins, mayManage, onAnswer }: CardsProps) {
  const texts = useTexts(manageTexts);
  if (plugins.length === 0)
    return <EmptyState title={texts.none}>{mayManage ? texts.noneWhy : texts.noneForReaders}</EmptyState>;
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{texts.installed}</h2>
      <ul className={styles.cards}>
        {plugins.map((plugin) => (
          <PluginCard
            key={plugin.id}
            plugin={plugin}
            mayManage={mayManage}
            onAnswer={() => onAnswer(plugin)}
          />
        ))}
      </ul>
    </section>
  );
}
