import { useState } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { useCatalog } from '../../../data/plugins/manage.ts';
import { usePlugins } from '../../../data/plugins/plugins.ts';
import { useWorld } from '../../../data/world.tsx';
import {
  type PluginsView,
  pluginsSearchOf,
  pluginsViewIn,
  updatesIn,
} from '../../../domain/plugins/catalog-list.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { goTo, useAddress } from '../../../kit/router/router.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { FilterLinks } from '../../../kit/ui/filter-links.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { usePageDrop } from '../../../kit/ui/page-drop.ts';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { AddPlugin } from './add-plugin.tsx';
import { Catalog } from './catalog.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { ConsentDialog } from './consent-dialog.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { PluginCard } from './plugin-card.tsx';
import { pluginsAddress } from './plugins-address.ts';
import { Policy } from './policy.tsx';
import { type Upload, useUpload } from './use-upload.ts';

/** The plugins of a world, and those that it could have. Admins install and switch them; others see what there is. */
export function Plugins() {
  const texts = useTexts(manageTexts);
  const { project, can } = useWorld();
  const view = pluginsViewIn(useAddress().search);
  const [asked, setAsked] = useState<Plugin | null>(null);
  const ask = (plugin: Plugin) => plugin.state === 'waiting' && setAsked(plugin);
  const upload = useUpload(ask);
  const isTaken = can('manage_settings') && asked === null && upload.sent === null;
  const isOver = usePageDrop((file) => {
    if (view.show === 'catalog') goTo(pluginsAddress(project));
    void upload.take(file);
  }, !isTaken);
  return (
    <Page title={texts.title} why={texts.why}>
      <Parts view={view} />
      {view.show === 'catalog' ? (
        <Catalog source={view.source} onInstalled={ask} />
      ) : (
        <Installed upload={upload} isOver={isOver} onInstalled={ask} onAnswer={setAsked} />
      )}
      {asked && <ConsentDialog key={asked.id} plugin={asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

function Parts({ view: { show } }: { view: PluginsView }) {
  const texts = useTexts(catalogTexts);
  const { project } = useWorld();
  return (
    <FilterLinks
      label={texts.parts}
      links={(['installed', 'catalog'] as const).map((each) => ({
        key: each,
        label: texts[each],
        address: pluginsAddress(project, pluginsSearchOf({ show: each, source: null })),
        isChosen: each === show,
      }))}
    />
  );
}

interface InstalledProps {
  upload: Upload;
  isOver: boolean;
  onInstalled: (plugin: Plugin) => void;
  onAnswer: (plugin: Plugin) => void;
}

function Installed({ upload, isOver, ...cards }: InstalledProps) {
  const texts = useTexts(manageTexts);
  const { project, can } = useWorld();
  const mayManage = can('manage_settings');
  const { data, error, refetch } = usePlugins(project);
  return (
    <>
      {mayManage && <AddPlugin upload={upload} isOver={isOver} />}
      {!data && error && (
        <Notice tone="error" actions={<Button onPress={() => void refetch()}>{texts.retry}</Button>}>
          {detailOf(error) ?? texts.failed}
        </Notice>
      )}
      {!data && !error && <Skeleton lines={4} height="4rem" />}
      {data && <Cards plugins={data} mayManage={mayManage} {...cards} />}
      {mayManage && <Policy plugins={data ?? []} />}
    </>
  );
}

interface CardsProps extends Pick<InstalledProps, 'onInstalled' | 'onAnswer'> {
  plugins: readonly Plugin[];
  mayManage: boolean;
}

function Cards({ plugins, mayManage, onInstalled, onAnswer }: CardsProps) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const updates = updatesIn(useCatalog(project, mayManage).data?.items ?? []);
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
            update={updates.get(plugin.id) ?? null}
            mayManage={mayManage}
            onInstalled={onInstalled}
            onAnswer={() => onAnswer(plugin)}
          />
        ))}
      </ul>
    </section>
  );
}
