import { useMemo } from 'react';
import { type Conflict, useConflicts } from '../../data/conflicts.ts';
import { useFieldWords } from '../../data/field-words.ts';
import { useWorld } from '../../data/world.tsx';
import { addressOf } from '../../domain/places.ts';
import { shownAgo } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import styles from './conflicts.module.css';
import { conflictsTexts } from './conflicts-texts.ts';

/** The open conflicts of a world. */
export function Conflicts() {
  const texts = useTexts(conflictsTexts);
  const { project } = useWorld();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useConflicts(project);
  if (data?.length === 0)
    return (
      <Page title={texts.title}>
        <EmptyState title={texts.none}>{texts.noneWhy}</EmptyState>
      </Page>
    );
  return (
    <Page title={texts.title} why={texts.why}>
      {error && <Notice tone="error">{texts.failed}</Notice>}
      {data ? <ConflictList conflicts={data} /> : !error && <Skeleton lines={4} height="3rem" />}
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </Page>
  );
}

function ConflictList({ conflicts }: { conflicts: readonly Conflict[] }) {
  const texts = useTexts(conflictsTexts);
  const { project, typeOf } = useWorld();
  const types = useMemo(() => [...new Set(conflicts.map(({ entity_type }) => entity_type))], [conflicts]);
  const { labelOf } = useFieldWords(project, types);
  return (
    <ul className={styles.list}>
      {conflicts.map(({ conflict_id, entity_type, local, conflicting_fields, detected_at }) => (
        <li key={conflict_id} className={styles.row}>
          <span className={styles.name} dir="auto">
            <ColorMark color={typeOf(entity_type)?.color} />
            <TextLink href={addressOf({ screen: 'page', project, page: 'conflicts', item: conflict_id })}>
              {local.name}
            </TextLink>
          </span>
          <span className={styles.quiet} dir="auto">
            {texts.differs(conflicting_fields.map((field) => labelOf(entity_type, field)).join(', '))}
          </span>
          <span className={styles.quiet}>{shownAgo(detected_at)}</span>
        </li>
      ))}
    </ul>
  );
}
