import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { ColorMark } from './color-mark.tsx';
import styles from './finding-card.module.css';
import { Icon } from './icons.tsx';
import { TextLink } from './link.tsx';

export interface FindingEvidence {
  key: string;
  name: string;
  address: string;
  color: string | null;
  field: string | null;
  value: string;
  place: string | null;
}

export interface FindingCardProps {
  tone: 'error' | 'warning' | 'info';
  /** The tone in a word. */
  severity: string;
  message: string;
  sort: string | null;
  evidence: readonly FindingEvidence[];
  /** Links to the entities that may be meant instead, and the words before them. */
  candidates?:
    | { label: string; links: readonly { key: string; name: string; address: string }[] }
    | undefined;
  actions?: ReactNode;
  /** Below everything else. */
  note?: ReactNode;
  /** The user is at the field that it is about. */
  isLit?: boolean;
  /** In a narrow column. */
  isCompact?: boolean;
}

/** Something that is wrong, with the places that show it. */
export const FindingCard = ({
  tone,
  severity,
  message,
  sort,
  evidence,
  candidates,
  actions,
  note,
  isLit = false,
  isCompact = false,
}: FindingCardProps) => (
  <div
    aria-current={isLit || undefined}
    className={classNames(styles.card, styles[tone], isLit && styles.lit, isCompact && styles.compact)}
  >
    <span className={styles.icon} role="img" aria-label={severity} title={severity}>
      <Icon name={tone} size={18} />
    </span>
    <div className={styles.head}>
      <div className={styles.words}>
        <p className={styles.message} dir="auto">
          {message}
        </p>
        {sort !== null && (
          <p className={styles.sort} dir="auto">
            {sort}
          </p>
        )}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
    {evidence.length > 0 && (
      <ul className={styles.evidence}>
        {evidence.map((one) => (
          <EvidenceItem key={one.key} evidence={one} />
        ))}
      </ul>
    )}
    {candidates && candidates.links.length > 0 && (
      <p className={styles.candidates}>
        {candidates.label}
        {candidates.links.map(({ key, name, address }) => (
          <TextLink key={key} href={address}>
            {name}
          </TextLink>
        ))}
      </p>
    )}
    {note && <div className={styles.note}>{note}</div>}
  </div>
);

const EvidenceItem = ({
  evidence: { name, address, color, field, value, place },
}: {
  evidence: FindingEvidence;
}) => (
  <li className={styles.side}>
    <span className={styles.name} dir="auto">
      <ColorMark color={color} />
      <TextLink href={address}>{name}</TextLink>
    </span>
    {field !== null && (
      <span className={styles.field} dir="auto">
        {field}
        {value !== '' && <span className={styles.value}>{value}</span>}
      </span>
    )}
    {place !== null && <span className={styles.place}>{place}</span>}
  </li>
);
