import type { ReactNode } from 'react';
import { addressOf, type Place, placeOf } from '../../domain/places.ts';
import { shownNumber } from '../../kit/i18n/format.ts';
import { Link } from '../../kit/router/link.tsx';
import { useAddress } from '../../kit/router/router.ts';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import styles from './sidebar.module.css';

/** Entries of the sidebar under a heading. */
export const SidebarEntries = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <>
    <h2 className={styles.heading}>{heading}</h2>
    <ul className={styles.list}>{children}</ul>
  </>
);

interface EntryProps {
  place: Place;
  label: string;
  count?: number;
  /** Null: a type without a colour. */
  color?: string | null;
  isAlert?: boolean;
}

export function SidebarEntry({ place, label, count = 0, color, isAlert = false }: EntryProps) {
  const { path } = useAddress();
  const address = addressOf(place);
  const isHere = path === address || (place.screen === 'list' && isWithin(path, place));
  return (
    <li>
      <Link href={address} className={styles.entry} aria-current={isHere ? 'page' : undefined}>
        {color !== undefined && <ColorMark color={color} />}
        <span className={styles.label} dir="auto">
          {label}
        </span>
        {count > 0 && <span className={isAlert ? styles.alert : styles.count}>{shownNumber(count)}</span>}
      </Link>
    </li>
  );
}

/** An entity is within the list of its type. */
function isWithin(path: string, { project, type }: { project: string; type: string }): boolean {
  const here = placeOf(path, '');
  return (
    (here.screen === 'entity' || here.screen === 'new') && here.project === project && here.type === type
  );
}
