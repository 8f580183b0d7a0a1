import { useState } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { usePlugins } from '../../../data/plugins/plugins.ts';
import { useWorld } from '../../../data/world.tsx';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { LinkButton, TextLink } from '../../../kit/ui/link.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { PageSkeleton } from '../../../kit/ui/page-skeleton.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import { PermissionList } from './permission-list.tsx';
import { PluginAdds } from './plugin-adds.tsx';
import { PluginFacts } from './plugin-facts.tsx';
import { PluginLog } from './plugin-log.tsx';
import { PluginUpdate } from './plugin-update.tsx';
import { pluginsAddress } from './plugins-address.ts';
import { ProblemList } from './problem-list.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SettingsSection } from './settings-section.tsx';
import { StateBadge } from './state-badge.tsx';
import { isWebAddress } from './web-address.ts';

/** One plugin: what it is, what it may do, its settings. */
export function PluginDetails({ id }: { id: string }) {
  const texts = useTexts(manageTexts);
  const { project } = useWorld();
  const { data, error, refetch } = usePlugins(project);
  const plugin = data?.find((each) => each.id === id);
  if (plugin) return <DetailsOf plugin={plugin} />;
  if (!data && !error) return <PageSkeleton />;
  const all = pluginsAddress(project);
  if (data)
    return (
      <EmptyState isPage title={texts.gone} actions={<LinkButton href={all}>{texts.backToList}</LinkButton>}>
        {texts.goneWhy}
      </EmptyState>
    );
  return (
    <Page title={texts.title}>
      <Notice tone="error" actions={<Button onPress={() => void refetch()}>{texts.retry}</Button>}>
        {detailOf(error) ?? texts.failed}
      </Notice>
    </Page>
  );
}

function DetailsOf({ plugin }: { plugin: Plugin }) {
  const texts = useTexts(manageTexts);
  const { project, can } = useWorld();
  const mayManage = can('manage_settings');
  const [open, setOpen] = useState<'consent' | 'remove' | null>(null);
  const { name, state, problems } = plugin;
  return (
    <Page
      title={name}
      why={plugin.description}
      actions={mayManage && <Button onPress={() => setOpen('remove')}>{texts.remove}</Button>}
    >
      <div className={styles.line}>
        <TextLink href={pluginsAddress(project)}>{texts.backToList}</TextLink>
        <StateBadge state={state} />
        <Imprint plugin={plugin} />
      </div>
      {state === 'waiting' && (
        <Notice
          tone="warning"
          actions={mayManage && <Button onPress={() => setOpen('consent')}>{texts.answer}</Button>}
        >
          {texts.waitingWhy}
        </Notice>
      )}
      {state === 'blocked' && <Notice tone="warning">{texts.blockedWhy}</Notice>}
      {mayManage && (
        <PluginUpdate
          id={plugin.id}
          onInstalled={(updated) => updated.state === 'waiting' && setOpen('consent')}
        />
      )}
      {problems.length > 0 && <ProblemList problems={problems} />}
      {mayManage && <EnabledSwitch plugin={plugin} />}
      {state !== 'broken' && (
        <>
          <PermissionList plugin={plugin} onChange={mayManage ? () => setOpen('consent') : null} />
          <PluginAdds plugin={plugin} />
        </>
      )}
      {mayManage && <SettingsSection plugin={plugin} scope="global" />}
      <SettingsSection plugin={plugin} scope="user" />
      {mayManage && <PluginLog plugin={plugin} />}
      {mayManage && <PluginFacts plugin={plugin} />}
      {open === 'consent' && <ConsentDialog plugin={plugin} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog plugin={plugin} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function Imprint({ plugin: { version, author, license, homepage } }: { plugin: Plugin }) {
  const texts = useTexts(manageTexts);
  return (
    <span className={styles.quiet}>
      {version !== '' && texts.version(version)} {author !== null && texts.by(author)}
      {license !== null && <> · {texts.license(license)}</>}
      {homepage !== null && isWebAddress(homepage) && (
        <>
          {' · '}
          <TextLink href={homepage} isExternal>
            {texts.homepage}
          </TextLink>
        </>
      )}
    </span>
  );
}
