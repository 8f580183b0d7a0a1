import type { ReactNode } from 'react';
import type { ImportNote } from '../../data/import.ts';
import { useWorld } from '../../data/world.tsx';
import type { ImportRow } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';

interface NoteRowProps {
  row: ImportRow<ImportNote>;
  /** Stands above the row. */
  folder: string;
  /** The choice of its type; the type stands there as a word without it. */
  choice: ReactNode;
}

/** A note, what it becomes, and what of it finds no place. */
export function NoteRow({ row, folder, choice }: NoteRowProps) {
  const texts = useTexts(importTexts);
  const { typeOf } = useWorld();
  const type = row.type === null ? undefined : typeOf(row.type);
  return (
    <div className={styles.note} data-action={row.action}>
      <div className={styles.place} dir="auto">
        {row.place.startsWith(`${folder}/`) ? row.place.slice(folder.length + 1) : row.place}
      </div>
      <div className={styles.becomes}>
        {type && <ColorMark color={type.color} />}
        <Outcome row={row} />
      </div>
      <div className={styles.type}>{choice ?? type?.label ?? row.type}</div>
      <div className={styles.action}>{texts.actions[row.action]}</div>
      {row.note && <Details note={row.note} />}
    </div>
  );
}

function Outcome({ row: { action, note, maybe } }: { row: ImportRow<ImportNote> }) {
  const texts = useTexts(importTexts);
  const { typeOf } = useWorld();
  if (note) return <span dir="auto">{action === 'refuse' ? note.reason : note.name}</span>;
  if (action === 'left_out') return null;
  return (
    <span>
      {texts.saysNoType} {maybe && texts.maybe(typeOf(maybe)?.label ?? maybe)}
    </span>
  );
}

function Details({ note }: { note: ImportNote }) {
  const texts = useTexts(importTexts);
  const lines = [
    ...note.mapped.filter(({ from, to }) => from !== to).map(({ from, to }) => texts.mapped(from, to)),
    ...note.kept_aside.map(({ from, to, reason, proposed }) =>
      [texts.keptAside(from, to, reason), proposed && texts.maybe(proposed.to)].filter(Boolean).join(' '),
    ),
    ...note.refused.map(({ property, place, reason }) => texts.refused(property ?? place, reason)),
    ...note.links.unresolved.map(({ text, reason }) => texts.unresolved(text, reason)),
  ];
  if (lines.length === 0) return null;
  return (
    <ul className={styles.losses}>
      {[...new Set(lines)].map((line) => (
        <li key={line} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  );
}
