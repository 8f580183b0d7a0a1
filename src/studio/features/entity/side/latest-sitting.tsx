import { useMemo } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import { useFieldWords } from '../../../data/field-words.ts';
import { useSittings } from '../../../data/history.ts';
import { usePersonName } from '../../../data/people.ts';
import { addressOf } from '../../../domain/places.ts';
import { shownAgo } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { TextLink } from '../../../kit/ui/link.tsx';
import styles from './side.module.css';
import { sideTexts } from './side-texts.ts';

const SHOWN = 4;

export function LatestSitting({ entity }: { entity: EntityAddress }) {
  const texts = useTexts(sideTexts);
  const latest = useSittings(entity).data?.[0];
  const name = usePersonName(latest?.by ?? null);
  const types = useMemo(() => [entity.type], [entity.type]);
  const { labelOf } = useFieldWords(entity.project, types);
  if (!latest) return null;
  const { before, last, changed, source } = latest;
  const fields = changed.slice(0, SHOWN).map((path) => labelOf(entity.type, path));
  const versions = before === null ? undefined : { from: before, to: last };
  return (
    <section>
      <h2 className={styles.heading}>{texts.latest}</h2>
      <p className={styles.latest}>
        <span>
          {name ?? (texts.sources[source] || texts.somebody)}, {shownAgo(latest.endedAt)}
        </span>
        {fields.length > 0 && (
          <span className={styles.quiet} dir="auto">
            {fields.join(', ')}
            {changed.length > SHOWN && ' …'}
          </span>
        )}
        <TextLink
          href={addressOf({ screen: 'entity', ...entity, tab: 'history', ...(versions && { versions }) })}
        >
          {texts.history}
        </TextLink>
      </p>
    </section>
  );
}
