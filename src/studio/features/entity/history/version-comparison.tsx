import { useMemo, useState } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import { detailOf } from '../../../data/errors.ts';
import { type FieldWords, useFieldWords } from '../../../data/field-words.ts';
import { useRestore, useVersionDifference, type VersionDifference } from '../../../data/versions.ts';
import { useWorld } from '../../../data/world.tsx';
import { fieldDifferencesOf } from '../../../domain/field-differences.ts';
import { addressOf, type VersionRange } from '../../../domain/places.ts';
import { textDifferenceOf } from '../../../domain/text-difference.ts';
import { shownMoment } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { goTo } from '../../../kit/router/router.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { ConfirmDialog } from '../../../kit/ui/confirm-dialog.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import { announce } from '../../../kit/ui/live-region.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { FieldChanges } from './field-changes.tsx';
import styles from './history.module.css';
import { historyTexts } from './history-texts.ts';
import { TextChanges } from './text-changes.tsx';

interface VersionComparisonProps {
  entity: EntityAddress;
  versions: VersionRange;
}

/** Two versions of an entity: fields beside each other, and the text line by line. */
export function VersionComparison({ entity, versions }: VersionComparisonProps) {
  const texts = useTexts(historyTexts);
  const { data, error } = useVersionDifference(entity, versions);
  const types = useMemo(() => [entity.type], [entity.type]);
  const words = useFieldWords(entity.project, types);
  const back = addressOf({ screen: 'entity', ...entity, tab: 'history' });
  return (
    <>
      <p className={styles.back}>
        <TextLink href={back}>{texts.all}</TextLink>
      </p>
      {error && <Notice tone="error">{texts.differenceFailed}</Notice>}
      {data ? (
        <Difference entity={entity} difference={data} words={words} />
      ) : (
        !error && <Skeleton lines={5} />
      )}
    </>
  );
}

interface DifferenceProps {
  entity: EntityAddress;
  difference: VersionDifference;
  words: FieldWords;
}

function Difference({ entity, difference, words }: DifferenceProps) {
  const texts = useTexts(historyTexts);
  const fields = useMemo(
    () => fieldDifferencesOf([...difference.attributes, ...difference.fields]),
    [difference],
  );
  const text = useMemo(() => textDifferenceOf(difference.body), [difference]);
  return (
    <>
      <div className={styles.ends}>
        <End label={texts.before} end={difference.from_revision} />
        <span className={styles.arrow} aria-hidden="true">
          →
        </span>
        <End label={texts.after} end={difference.to_revision} />
        <Restore entity={entity} version={difference.from} />
      </div>
      {difference.identical && <p>{texts.same}</p>}
      {fields.length > 0 && <FieldChanges type={entity.type} changes={fields} words={words} />}
      {text.length > 0 && <TextChanges parts={text} />}
    </>
  );
}

function End({ label, end }: { label: string; end: VersionDifference['from_revision'] }) {
  const texts = useTexts(historyTexts);
  return (
    <p className={styles.end}>
      <span className={styles.endLabel}>{label}</span>
      <strong>{texts.version(end.version)}</strong>
      <span className={styles.when}>
        {end.created_by_name !== null && `${end.created_by_name}, `}
        {shownMoment(end.created_at)}
      </span>
    </p>
  );
}

function Restore({ entity, version }: { entity: EntityAddress; version: number }) {
  const texts = useTexts(historyTexts);
  const { can } = useWorld();
  const { mutateAsync } = useRestore(entity);
  const [isAsking, setAsking] = useState(false);
  if (!can('edit_entities')) return null;
  return (
    <div className={styles.restore}>
      <Button onPress={() => setAsking(true)}>{texts.restoreThis(version)}</Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.restoreTitle(version)}
          action={texts.restore}
          cancelLabel={texts.cancel}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await mutateAsync(version);
            announce(texts.restored);
            goTo(addressOf({ screen: 'entity', ...entity, tab: 'history' }));
          }}
          faultOf={(error) => detailOf(error) ?? texts.restoreFailed}
        >
          {texts.restoreWhy}
        </ConfirmDialog>
      )}
    </div>
  );
}
