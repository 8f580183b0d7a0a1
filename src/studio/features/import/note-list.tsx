import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ImportNote, ImportReport } from '../../data/import.ts';
import {
  type ImportGroup,
  type ImportRow,
  importGroups,
  leftOvers,
  untypedPlaces,
} from '../../domain/import-rows.ts';
import { shownNumber } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Switch } from '../../kit/ui/switch.tsx';
import { usePageWindow } from '../../kit/virtual/use-measured-window.ts';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';
import { NoteRow } from './note-row.tsx';
import { OtherFiles } from './other-files.tsx';

type Row = ImportRow<ImportNote>;
type Item =
  | { kind: 'folder'; key: string; folder: string; count: number }
  | { kind: 'note'; key: string; row: Row; folder: string; place: number };

interface NoteListProps {
  report: ImportReport;
  isLossesFirst: boolean;
  /** The choice of a type for a note or a folder; without it nothing can be chosen. */
  typeChoice?: (place: string, row: Row | null) => ReactNode;
}

const FOLDER_HEIGHT = 68;
const ROW_HEIGHT = 49;
const LINE_HEIGHT = 22;

/** The notes of an import with their results, and the parts of them that found no place. Only those in view are in the page. */
export function NoteList({ report, isLossesFirst, typeChoice }: NoteListProps) {
  const texts = useTexts(importTexts);
  const [isLossesOnly, setLossesOnly] = useState(isLossesFirst);
  // A note that has got its type stays where it was.
  const [first] = useState(() => new Set(untypedPlaces(report)));
  const { groups, others } = useMemo(
    () => importGroups(report, { isShown: (row) => !isLossesOnly || leftOvers(row) > 0, first }),
    [report, isLossesOnly, first],
  );
  const items = useMemo(() => itemsOf(groups), [groups]);
  return (
    <section className={styles.list}>
      <Switch label={texts.lossesOnly} isOn={isLossesOnly} onChange={setLossesOnly} />
      {items.length === 0 && <p className={styles.quiet}>{texts.nothingLeft}</p>}
      {items.length > 0 && <Items items={items} {...(typeChoice && { typeChoice })} />}
      <OtherFiles files={others} more={unlistedRefusals(report)} />
    </section>
  );
}

/** The total counts all, and the refused parts of notes too. */
const unlistedRefusals = ({ totals, refused, notes }: ImportReport): number =>
  totals.refused - notes.reduce((sum, note) => sum + note.refused.length, refused.length);

function Items({ items, typeChoice }: { items: readonly Item[] } & Pick<NoteListProps, 'typeChoice'>) {
  const texts = useTexts(importTexts);
  const list = useRef<HTMLUListElement>(null);
  const view = usePageWindow(list, items.length, {
    heightOf: (index) => heightOf(items[index]),
    keyOf: (index) => items[index]?.key ?? `${index}`,
  });
  const notes = items.reduce((sum, { kind }) => sum + (kind === 'note' ? 1 : 0), 0);
  return (
    <ul ref={list} className={styles.items} style={{ blockSize: view.height }}>
      {view.rows.map(({ index, start }) => {
        const item = items[index];
        if (!item) return null;
        const position = {
          ref: view.measure,
          'data-index': index,
          style: { transform: `translateY(${start}px)` },
        };
        return item.kind === 'folder' ? (
          <li key={item.key} {...position} className={styles.folder}>
            <h2 className={styles.heading} dir="auto">
              {item.folder || texts.noFolder} <span className={styles.quiet}>{shownNumber(item.count)}</span>
            </h2>
            {item.folder !== '' && typeChoice?.(item.folder, null)}
          </li>
        ) : (
          <li
            key={item.key}
            {...position}
            className={styles.item}
            aria-posinset={item.place}
            aria-setsize={notes}
          >
            <NoteRow row={item.row} folder={item.folder} choice={typeChoice?.(item.row.place, item.row)} />
          </li>
        );
      })}
    </ul>
  );
}

function heightOf(item: Item | undefined): number {
  if (item?.kind !== 'note') return FOLDER_HEIGHT;
  return ROW_HEIGHT + Math.min(leftOvers(item.row), 8) * LINE_HEIGHT;
}

function itemsOf(groups: readonly ImportGroup<Row>[]): Item[] {
  let place = 0;
  return groups.flatMap(({ folder, rows }): Item[] => [
    { kind: 'folder', key: `folder ${folder}`, folder, count: rows.length },
    ...rows.map((row): Item => ({ kind: 'note', key: row.place, row, folder, place: ++place })),
  ]);
}
