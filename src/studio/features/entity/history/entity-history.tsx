import { Suspense, useMemo } from 'react';
import { useFieldWords } from '../../../data/field-words.ts';
import { useSittings } from '../../../data/history.ts';
import { useWorld } from '../../../data/world.tsx';
import { placeOf, type VersionRange } from '../../../domain/places.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { useAddress } from '../../../kit/router/router.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { late } from '../../../kit/ui/late.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import styles from './history.module.css';
import { historyTexts } from './history-texts.ts';
import { SittingItem } from './sitting-item.tsx';

const VersionComparison = late(async () => (await import('./version-comparison.tsx')).VersionComparison);

/** The versions of an entity, and the differences between the two that the address names. */
export function EntityHistory({ type, id }: { type: string; id: string }) {
  const texts = useTexts(historyTexts);
  const { project } = useWorld();
  const versions = useChosenVersions();
  const entity = useMemo(() => ({ project, type, id }), [project, type, id]);
  return (
    <div className={styles.history} data-chosen={versions !== null || undefined}>
      <Sittings entity={entity} versions={versions} />
      <div className={styles.comparison}>
        {versions ? (
          <Suspense fallback={<Skeleton lines={5} />}>
            <VersionComparison key={`${versions.from}..${versions.to}`} entity={entity} versions={versions} />
          </Suspense>
        ) : (
          <p className={styles.choose}>{texts.choose}</p>
        )}
      </div>
    </div>
  );
}

function useChosenVersions(): VersionRange | null {
  const { path, search } = useAddress();
  const place = placeOf(path, search);
  return place.screen === 'entity' ? (place.versions ?? null) : null;
}

interface SittingsProps {
  entity: { project: string; type: string; id: string };
  versions: VersionRange | null;
}

function Sittings({ entity, versions }: SittingsProps) {
  const texts = useTexts(historyTexts);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useSittings(entity);
  const types = useMemo(() => [entity.type], [entity.type]);
  const { labelOf } = useFieldWords(entity.project, types);
  if (error)
    return (
      <div className={styles.sittings}>
        <Notice tone="error">{texts.failed}</Notice>
      </div>
    );
  return (
    <nav className={styles.sittings} aria-label={texts.sittings}>
      {data ? (
        <ol>
          {data.map((sitting) => (
            <SittingItem
              key={sitting.last}
              entity={entity}
              sitting={sitting}
              current={data[0]?.last ?? sitting.last}
              isChosen={versions?.to === sitting.last && versions.from === sitting.before}
              labelOf={(path) => labelOf(entity.type, path)}
            />
          ))}
        </ol>
      ) : (
        <Skeleton lines={4} height="3rem" />
      )}
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {texts.older}
        </Button>
      )}
    </nav>
  );
}
