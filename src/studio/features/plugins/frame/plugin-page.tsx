import { detailOf } from '../../../data/errors.ts';
import { usePlugins } from '../../../data/plugins/plugins.ts';
import { useWorld } from '../../../data/world.tsx';
import { addressOf } from '../../../domain/places.ts';
import { isEnabled, surfaceOf } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { LinkButton } from '../../../kit/ui/link.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { PageSkeleton } from '../../../kit/ui/page-skeleton.tsx';
import styles from './frame.module.css';
import { frameTexts } from './frame-texts.ts';
import { PluginFrame } from './plugin-frame.tsx';

/** A page that a plugin has in the navigation. */
export function PluginPage({ plugin: id, page: pageId }: { plugin: string; page: string }) {
  const texts = useTexts(frameTexts);
  const { project } = useWorld();
  const { data, error, refetch } = usePlugins(project);
  if (!data)
    return error ? (
      <Page title={texts.toPlugins}>
        <Notice tone="error" actions={<Button onPress={() => void refetch()}>{texts.retry}</Button>}>
          {detailOf(error) ?? texts.failed}
        </Notice>
      </Page>
    ) : (
      <PageSkeleton />
    );
  const plugin = data.find((each) => each.id === id && isEnabled(each));
  const page = plugin?.pages.find((each) => each.id === pageId);
  const surface = plugin && page && surfaceOf(plugin, page);
  if (!surface)
    return (
      <EmptyState
        isPage
        title={texts.gone}
        actions={
          <LinkButton href={addressOf({ screen: 'page', project, page: 'plugins' })}>
            {texts.toPlugins}
          </LinkButton>
        }
      >
        {texts.goneWhy}
      </EmptyState>
    );
  return (
    <div className={styles.page}>
      <title>{surface.title}</title>
      <h1 className={styles.title} tabIndex={-1} dir="auto">
        {surface.title}
      </h1>
      <PluginFrame surface={surface} isWhole />
    </div>
  );
}
