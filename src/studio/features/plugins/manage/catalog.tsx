import { useState } from 'react';
import { detailOf } from '../../../data/errors.ts';
import { useCatalog } from '../../../data/plugins/manage.ts';
import { useWorld } from '../../../data/world.tsx';
import {
  type CatalogItem,
  type CatalogProblem,
  fitting,
  type PluginsView,
  pluginsSearchOf,
  SOURCES,
} from '../../../domain/plugins/catalog-list.ts';
import type { Plugin } from '../../../domain/plugins/plugin-list.ts';
import { shownAgo } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { FilterLinks } from '../../../kit/ui/filter-links.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { TextField } from '../../../kit/ui/text-field.tsx';
import { CatalogCard } from './catalog-card.tsx';
import { catalogTexts } from './catalog-texts.ts';
import styles from './manage.module.css';
import { pluginsAddress } from './plugins-address.ts';

interface CatalogProps {
  source: PluginsView['source'];
  onInstalled: (plugin: Plugin) => void;
}

/** What others offer, with what of it is installed. */
export function Catalog({ source, onInstalled }: CatalogProps) {
  const texts = useTexts(catalogTexts);
  const { project } = useWorld();
  const { data, error, isFetching, refetch } = useCatalog(project);
  const retry = (
    <Button isPending={isFetching} onPress={() => void refetch()}>
      {texts.retry}
    </Button>
  );
  if (!data)
    return error ? (
      <Notice tone="error" actions={retry}>
        {detailOf(error) ?? texts.failed}
      </Notice>
    ) : (
      <Skeleton lines={4} height="4rem" />
    );
  const { configured, problem, items, sequence, checked_at: checkedAt } = data;
  if (!configured) return <EmptyState title={texts.notConfigured}>{texts.notConfiguredWhy}</EmptyState>;
  return (
    <>
      {problem && (
        <Notice tone={sequence === null ? 'error' : 'warning'} actions={retry}>
          <Problem problem={problem} isShown={sequence !== null} />
        </Notice>
      )}
      {sequence !== null && (
        <>
          {checkedAt !== null && <p className={styles.quiet}>{texts.about(sequence, shownAgo(checkedAt))}</p>}
          <Items items={items} source={source} onInstalled={onInstalled} />
        </>
      )}
    </>
  );
}

/** In plain words, and then in the service's own, which name the place. */
function Problem({ problem, isShown }: { problem: CatalogProblem; isShown: boolean }) {
  const texts = useTexts(catalogTexts);
  return (
    <>
      <p>{texts.problems[problem.code]}</p>
      <p className={styles.said}>{problem.message}</p>
      {isShown && <p>{texts.stillShown}</p>}
    </>
  );
}

function Items({ items, source, onInstalled }: CatalogProps & { items: readonly CatalogItem[] }) {
  const texts = useTexts(catalogTexts);
  const { project } = useWorld();
  const [text, setText] = useState('');
  if (items.length === 0) return <p>{texts.none}</p>;
  const found = fitting(items, { text, source });
  return (
    <section className={styles.section} aria-label={texts.catalog}>
      <div className={styles.form}>
        <TextField label={texts.find} type="search" value={text} onChange={setText} />
      </div>
      <FilterLinks
        label={texts.sources}
        links={[null, ...SOURCES].map((each) => ({
          key: each ?? 'any',
          label: texts.source[each ?? 'any'],
          address: pluginsAddress(project, pluginsSearchOf({ show: 'catalog', source: each })),
          isChosen: each === source,
        }))}
      />
      <p role="status" className={styles.quiet}>
        {found.length === 0 ? texts.noneFound : texts.found(found.length)}
      </p>
      <ul className={styles.cards}>
        {found.map((item) => (
          <CatalogCard key={item.id} item={item} onInstalled={onInstalled} />
        ))}
      </ul>
    </section>
  );
}
