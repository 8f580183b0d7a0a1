import type { EntityAddress } from '../../../data/entity.ts';
import type { Sitting } from '../../../data/history.ts';
import { usePersonName } from '../../../data/people.ts';
import { addressOf } from '../../../domain/places.ts';
import { shownAgo, shownMoment } from '../../../kit/i18n/format.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Avatar } from '../../../kit/ui/avatar.tsx';
import { Badge } from '../../../kit/ui/badge.tsx';
import { TextLink } from '../../../kit/ui/link.tsx';
import styles from './history.module.css';
import { historyTexts } from './history-texts.ts';
import { Provenance } from './provenance.tsx';

interface SittingItemProps {
  entity: EntityAddress;
  sitting: Sitting;
  /** The newest version. */
  current: number;
  isChosen: boolean;
  labelOf: (path: string) => string;
}

const MOST_FIELDS = 6;

export function SittingItem({ entity, sitting, current, isChosen, labelOf }: SittingItemProps) {
  const texts = useTexts(historyTexts);
  const { before, last, changed, isCurrent } = sitting;
  const who = useAuthor(sitting);
  const compare = (from: number, to: number) =>
    addressOf({ screen: 'entity', ...entity, tab: 'history', versions: { from, to } });
  const fields = changed.map(labelOf);
  return (
    <li className={styles.sitting} aria-current={isChosen || undefined}>
      {sitting.by === null ? (
        <span className={styles.nobody} aria-hidden="true" />
      ) : (
        <Avatar id={sitting.by} name={who} size="s" isDecoration />
      )}
      <div className={styles.about}>
        <p>
          <strong>{who}</strong>{' '}
          <time className={styles.when} dateTime={sitting.endedAt} title={shownMoment(sitting.endedAt)}>
            {shownAgo(sitting.endedAt)}
          </time>
        </p>
        {fields.length > 0 && (
          <p className={styles.fields} dir="auto">
            {fields.slice(0, MOST_FIELDS).join(', ')}
            {fields.length > MOST_FIELDS && ' …'}
          </p>
        )}
        {sitting.via.length > 0 && <p className={styles.fields}>{texts.via(sitting.via.join(', '))}</p>}
        {sitting.source === 'ai' && <Provenance entity={entity} sitting={sitting} current={current} />}
        <p className={styles.links}>
          {isCurrent && <Badge>{texts.current}</Badge>}
          {before === null ? (
            <span className={styles.when}>{texts.first}</span>
          ) : (
            <TextLink href={compare(before, last)}>{texts.whatChanged}</TextLink>
          )}
          {!isCurrent && <TextLink href={compare(last, current)}>{texts.compareWithNow}</TextLink>}
        </p>
      </div>
    </li>
  );
}

function useAuthor({ by, source }: Sitting): string {
  const texts = useTexts(historyTexts);
  const name = usePersonName(by);
  return name ?? (texts.sources[source] || texts.somebody);
}
