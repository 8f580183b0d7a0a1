import { type KeyboardEvent, memo } from 'react';
import type { Row } from '../../data/rows.ts';
import { cellText, type ListColumn } from '../../domain/list-columns.ts';
import { ENTITY_STATUSES, type EntityStatus } from '../../domain/list-query.ts';
import { shownAgo } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Link } from '../../kit/router/link.tsx';
import { Icon } from '../../kit/ui/icons.tsx';
import styles from './list.module.css';
import { listTexts } from './list-texts.ts';

export interface RowHandlers {
  onFocus: (index: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPeek: (id: string) => void;
}

interface ListRowProps extends RowHandlers {
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  row: Row | undefined;
  columns: readonly ListColumn[];
  isActive: boolean;
  /** The time from which "5 minutes ago" counts; rows are drawn anew when it changes. */
  now: number;
  address: string | undefined;
}

export const ListRow = memo(
  ({ index, top, row, columns, isActive, now, onFocus, onKeyDown, onPeek, address }: ListRowProps) => {
    const texts = useTexts(listTexts);
    const status = String(row?.values.status ?? '');
    return (
      <tr
        aria-rowindex={index + 2}
        data-row={index}
        className={styles.row}
        style={{ transform: `translateY(${top}px)` }}
      >
        {row && address ? (
          <>
            <td className={styles.name}>
              <Link
                href={address}
                onFocus={() => onFocus(index)}
                onKeyDown={onKeyDown}
                tabIndex={isActive ? 0 : -1}
                className={styles.link}
                dir="auto"
              >
                {String(row.values.name)}
              </Link>
              {/* The keyboard has its own way, from the link. */}
              <button
                type="button"
                tabIndex={-1}
                className={styles.peek}
                aria-label={texts.peekAt(String(row.values.name))}
                onClick={() => onPeek(row.entity_id)}
              >
                <Icon name="open" size={14} />
              </button>
            </td>
            {columns.map(({ path, options }) => (
              <td key={path} className={styles.cell} dir="auto">
                {cellText(row.values[path], options)}
              </td>
            ))}
            <td className={styles.status} data-status={status}>
              {isKnownStatus(status) ? texts.statuses[status] : status}
            </td>
            <td className={styles.updated}>{shownAgo(row.updated_at, now)}</td>
          </>
        ) : (
          <td className={styles.waiting} />
        )}
      </tr>
    );
  },
);

const isKnownStatus = (status: string): status is EntityStatus =>
  (ENTITY_STATUSES as readonly string[]).includes(status);
