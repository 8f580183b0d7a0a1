import { Link } from 'react-aria-components';
import { shownNumber } from '../i18n/format.ts';
import styles from './filter-links.module.css';

export interface FilterLink {
  key: string;
  label: string;
  count?: number;
  address: string;
  isChosen: boolean;
}

/** One choice of a few that narrows a page, each with an address of its own. */
export const FilterLinks = ({ label, links }: { label: string; links: readonly FilterLink[] }) => (
  <nav aria-label={label} className={styles.links}>
    {links.map(({ key, label: text, count, address, isChosen }) => (
      <Link
        key={key}
        href={address}
        className={styles.link ?? ''}
        {...(isChosen && { 'aria-current': 'true' })}
      >
        {text}
        {count !== undefined && <span className={styles.count}>{shownNumber(count)}</span>}
      </Link>
    ))}
  </nav>
);
