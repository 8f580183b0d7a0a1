import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { useCommands } from '../../data/commands.ts';
import { rememberPosition } from '../../data/list-position.ts';
import { peekAt } from '../../data/peek.ts';
import { useRows } from '../../data/rows.ts';
import { useWorld } from '../../data/world.tsx';
import type { ListColumn } from '../../domain/list-columns.ts';
import { apiQueryOf, type ListQuery, type SortColumn } from '../../domain/list-query.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { isPhone } from '../../kit/theme/is-phone.ts';
import { useRem } from '../../kit/theme/use-rem.ts';
import { Notice } from '../../kit/ui/notice.tsx';
import { useWindow } from '../../kit/virtual/use-window.ts';
import styles from './list.module.css';
import { ListEmpty } from './list-empty.tsx';
import { ListHeader } from './list-header.tsx';
import { ListRow, type RowHandlers } from './list-row.tsx';
import { listTexts } from './list-texts.ts';

interface ListTableProps {
  type: string;
  query: ListQuery;
  columns: readonly ListColumn[];
  onSort: (column: SortColumn, isDescending: boolean) => void;
  onClear: () => void;
}

/** Of the rows, only those in view are in the page; the place for the others is kept. */
export function ListTable({ type, query, columns, onSort, onClear }: ListTableProps) {
  const texts = useTexts(listTexts);
  const { project } = useWorld();
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [known, setKnown] = useState(0);
  const rem = useRem();
  const view = useWindow(box, known, rowHeight(rem));
  const asked = { project, type, query, columns: ['name', 'status', ...columns.map(({ path }) => path)] };
  const rows = useRows(asked, viewOf(view.rows));
  if (rows.total !== undefined && rows.total !== known) setKnown(rows.total);

  const move = (index: number) => {
    const next = Math.min(Math.max(index, 0), known - 1);
    setActive(next);
    view.scrollTo(next);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus());
  };
  useMoveCommands(active, move);
  const wanted = useMemo(() => JSON.stringify(apiQueryOf(query)), [query]);
  const shown = useRef(wanted);
  useEffect(() => {
    if (shown.current === wanted) return;
    shown.current = wanted;
    // Other rows are shown from their first one on.
    box.current?.scrollTo({ top: 0 });
    setActive(0);
  }, [wanted]);
  useEffect(() => rememberPosition({ project, type, query, index: active }), [project, type, query, active]);

  const handlers = useHandlers({ project, type, active, count: known, move, setActive });

  const now = useMinute();

  if (rows.error) return <Notice tone="error">{texts.failed}</Notice>;
  if (rows.total === 0) return <ListEmpty type={type} query={query} onClear={onClear} />;
  return (
    <div ref={box} className={styles.scroll}>
      <table
        aria-label={texts.count(known)}
        aria-rowcount={known + 1}
        className={styles.table}
        style={{ '--columns': columns.length } as CSSProperties}
      >
        <ListHeader columns={columns} query={query} onSort={onSort} />
        <tbody className={styles.rows} style={{ blockSize: view.height }}>
          {view.rows.map(({ index, start }) => {
            const row = rows.at(index);
            return (
              <ListRow
                key={index}
                index={index}
                top={start}
                row={row}
                columns={columns}
                isActive={index === active}
                now={now}
                {...handlers}
                address={row && addressOf({ screen: 'entity', project, type, id: row.entity_id })}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const MINUTE_MS = 60_000;

/** The time, at most a minute ago. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Rows are as high as a finger needs where there are fingers. */
const rowHeight = (rem: number): number => (isPhone() ? 3.5 : 2.5) * rem;

function viewOf(rows: readonly { index: number }[]): { first: number; last: number } | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last && { first: first.index, last: last.index };
}

const ROWS_A_PAGE = 20;

function targetOf(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + ROWS_A_PAGE,
    PageUp: at - ROWS_A_PAGE,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}

interface Handled {
  project: string;
  type: string;
  active: number;
  count: number;
  move: (index: number) => void;
  setActive: (index: number) => void;
}

/** They stay the same, so that scrolling draws new rows alone. */
function useHandlers(handled: Handled): RowHandlers {
  const now = useRef(handled);
  now.current = handled;
  return useMemo(
    () => ({
      onFocus: (index) => now.current.setActive(index),
      onKeyDown(event) {
        const { active, count, move } = now.current;
        const to = targetOf(event.key, active, count);
        if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        move(to);
      },
      onPeek(id) {
        const { project, type } = now.current;
        peekAt({ project, type, id });
      },
    }),
    [],
  );
}

function useMoveCommands(active: number, move: (index: number) => void): void {
  const texts = useTexts(listTexts);
  const now = useRef({ active, move });
  now.current = { active, move };
  useCommands(
    useMemo(
      () => [
        {
          id: 'next-row',
          title: texts.nextRow,
          keys: 'j',
          group: 'here',
          run: () => now.current.move(now.current.active + 1),
        },
        {
          id: 'previous-row',
          title: texts.previousRow,
          keys: 'k',
          group: 'here',
          run: () => now.current.move(now.current.active - 1),
        },
      ],
      [texts],
    ),
  );
}
