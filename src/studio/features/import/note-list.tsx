import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ImportNote, ImportReport } from '../../data/import.ts';
import {
  choiceAt,
  type ImportGroup,
  type ImportRow,
  importGroups,
  leftOvers,
  type TypesByPlace,
  untypedPlaces,
} from '../../domain/import-rows.ts';
import { shownNumber } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { useRem } from '../../kit/theme/use-rem.ts';
import { Switch } from '../../kit/ui/switch.tsx';
import { usePageWindow } from '../../kit/virtual/use-measured-window.ts';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';
import { NoteRow } from './note-row.tsx';
import { OtherFiles } from './other-files.tsx';
import { TypeChoice } from './type-choice.tsx';

type Row = ImportRow<ImportNote>;
type Item =
  | { kind: 'folder'; key: string; folder: string; count: number }
  | { kind: 'note'; key: string; row: Row; folder: string; place: number };

interface Choice {
  types: TypesByPlace;
  onChoose: (types: TypesByPlace) => void;
}

interface NoteListProps {
  report: ImportReport;
  isLossesFirst: boolean;
  /** Without it no types can be chosen. */
  choice?: Choice;
}

/** In rem, of a row without details, and of each of those. */
const FOLDER_HEIGHT = 4.25;
const ROW_HEIGHT = 3.25;
const LINE_HEIGHT = 1.35;

/** The notes of an import with their results, and the parts of them that found no place. */
export function NoteList({ report, isLossesFirst, choice }: NoteListProps) {
  const texts = useTexts(importTexts);
  const [isLossesOnly, setLossesOnly] = useState(isLossesFirst);
  const items = useItems(report, choice?.types ?? NO_CHOICES, isLossesOnly);
  return (
    <section className={styles.list}>
      <Switch label={texts.lossesOnly} isOn={isLossesOnly} onChange={setLossesOnly} />
      {items.length === 0 ? (
        <p className={styles.quiet}>{texts.nothingLeft}</p>
      ) : (
        <Items
          items={items}
          choiceOf={(place, row) => choice && <TypeChoice place={place} row={row} {...choice} />}
        />
      )}
      <OtherFiles report={report} />
    </section>
  );
}

const NO_CHOICES: TypesByPlace = {};

/** A note that has got its type stays where it was, whatever is shown. */
function useItems(report: ImportReport, types: TypesByPlace, isLossesOnly: boolean): Item[] {
  const [first] = useState(() => new Set(untypedPlaces(report)));
  return useMemo(() => {
    const isShown = (row: Row) =>
      !isLossesOnly || leftOvers(row) > 0 || choiceAt(types, row.place) !== undefined;
    return itemsOf(importGroups(report, { isShown, first }));
  }, [report, types, isLossesOnly, first]);
}

interface ItemsProps {
  items: readonly Item[];
  choiceOf: (place: string, row: Row | null) => ReactNode;
}

/** Only those in view are in the page: there may be thousands. */
function Items({ items, choiceOf }: ItemsProps) {
  const texts = useTexts(importTexts);
  const list = useRef<HTMLDivElement>(null);
  const rem = useRem();
  const view = usePageWindow(list, items.length, {
    heightOf: (index) => heightOf(items[index]) * rem,
    keyOf: (index) => items[index]?.key ?? `${index}`,
  });
  const notes = items.reduce((sum, { kind }) => sum + (kind === 'note' ? 1 : 0), 0);
  return (
    <div ref={list} className={styles.items} style={{ blockSize: view.height }}>
      {view.rows.map((row) => {
        const item = items[row.index];
        if (!item) return null;
        const position = view.propsOf(row);
        return item.kind === 'folder' ? (
          <div key={item.key} {...position} className={styles.folder}>
            <h2 className={styles.heading} dir="auto">
              {item.folder || texts.noFolder} <span className={styles.quiet}>{shownNumber(item.count)}</span>
            </h2>
            {item.folder !== '' && choiceOf(item.folder, null)}
          </div>
        ) : (
          <article
            key={item.key}
            {...position}
            className={styles.item}
            aria-label={item.row.place}
            aria-posinset={item.place}
            aria-setsize={notes}
          >
            <NoteRow row={item.row} folder={item.folder} choice={choiceOf(item.row.place, item.row)} />
          </article>
        );
      })}
    </div>
  );
}

function heightOf(item: Item | undefined): number {
  if (item?.kind !== 'note') return FOLDER_HEIGHT;
  const mapped = item.row.note?.mapped.length ?? 0;
  return ROW_HEIGHT + Math.min(leftOvers(item.row) + mapped, 8) * LINE_HEIGHT;
}

function itemsOf(groups: readonly ImportGroup<Row>[]): Item[] {
  let place = 0;
  return groups.flatMap(({ folder, rows }): Item[] => [
    { kind: 'folder', key: `folder ${folder}`, folder, count: rows.length },
    ...rows.map((row): Item => ({ kind: 'note', key: row.place, row, folder, place: ++place })),
  ]);
}
