import { useId } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { usePluginLog, usePluginUsage } from '../../../data/plugins/did.ts';
import { useWorld } from '../../../data/world.tsx';
import {
  callsIn,
  filterOf,
  LOG_VIEWS,
  type LogView,
  logSearchOf,
  logViewIn,
} from '../../../domain/plugins/log-lines.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { useAddress } from '../../../kit/router/router.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { FilterLinks } from '../../../kit/ui/filter-links.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { CallCounts } from './call-counts.tsx';
import { logTexts } from './log-texts.ts';
import { LoggedCallItem } from './logged-call.tsx';
import styles from './manage.module.css';
import { pluginsAddress } from './plugins-address.ts';

/** How often the code of a plugin ran, and what it said and did: for admins. */
export function PluginLog({ plugin }: { plugin: Plugin }) {
  const texts = useTexts(logTexts);
  const heading = useId();
  const { project } = useWorld();
  const view = logViewIn(useAddress().search);
  const usage = usePluginUsage(project, plugin.id);
  const log = usePluginLog(project, plugin.id, filterOf(view));
  const refresh = () => void Promise.all([usage.refetch(), log.refetch()]);
  const hasRun = plugin.has_guest || (usage.data?.calls.length ?? 0) > 0;
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <div className={styles.line}>
        <h2 id={heading} className={styles.heading}>
          {texts.heading}
        </h2>
        {hasRun && (
          <Button size="s" isPending={usage.isFetching || log.isRefetching} onPress={refresh}>
            {texts.refresh}
          </Button>
        )}
      </div>
      {!hasRun && <p className={styles.quiet}>{texts.noCode}</p>}
      {hasRun && usage.data && <CallCounts counts={usage.data.calls} />}
      {hasRun && <Lines log={log} view={view} id={plugin.id} />}
    </section>
  );
}

interface LinesProps {
  log: ReturnType<typeof usePluginLog>;
  view: LogView;
  id: string;
}

function Lines({ log: { data, error, refetch, hasNextPage, fetchNextPage, ...log }, view, id }: LinesProps) {
  const texts = useTexts(logTexts);
  const { project } = useWorld();
  const lines = data?.pages.flatMap((page) => page.lines);
  const total = data?.pages.at(-1)?.total ?? 0;
  return (
    <>
      <h3 className={styles.subheading}>{texts.log}</h3>
      <p className={styles.quiet}>{texts.logWhy}</p>
      <FilterLinks
        label={texts.views}
        links={LOG_VIEWS.map((each) => ({
          key: each,
          label: texts.view[each],
          address: pluginsAddress(project, logSearchOf(each), id),
          isChosen: each === view,
        }))}
      />
      {error && (
        <Notice tone="error" actions={<Button onPress={() => void refetch()}>{texts.retry}</Button>}>
          {detailOf(error) ?? texts.failed}
        </Notice>
      )}
      {!lines && !error && <Skeleton lines={4} height="2.25rem" />}
      {lines?.length === 0 && (
        <p className={styles.quiet}>{view === 'all' ? texts.empty : texts.emptyView}</p>
      )}
      {lines && lines.length > 0 && (
        <>
          <ul className={styles.log}>
            {callsIn(lines).map((call) => (
              <LoggedCallItem key={call[0].seq} call={call} />
            ))}
          </ul>
          <div className={styles.line}>
            <span role="status" className={styles.quiet}>
              {texts.shown(lines.length, total)}
            </span>
            {hasNextPage && (
              <Button size="s" isPending={log.isFetchingNextPage} onPress={() => void fetchNextPage()}>
                {texts.older}
              </Button>
            )}
          </div>
        </>
      )}
    </>
  );
}
