import { useState } from 'react';
import type { ImportNote, ImportReport } from '../../data/import.ts';
import { useWorld } from '../../data/world.tsx';
import { leftOvers } from '../../domain/import-losses.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { ColorMark } from '../../kit/ui/color-mark.tsx';
import { Switch } from '../../kit/ui/switch.tsx';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';

const STEP = 100;

interface NoteListProps {
  report: ImportReport;
  isLossesFirst: boolean;
}

/** The notes of an import with their results, and the parts of them that found no place. */
export function NoteList({ report, isLossesFirst }: NoteListProps) {
  const texts = useTexts(importTexts);
  const [isLossesOnly, setLossesOnly] = useState(isLossesFirst);
  const [shown, setShown] = useState(STEP);
  const notes = isLossesOnly ? report.notes.filter((note) => leftOvers(note) > 0) : report.notes;
  return (
    <section className={styles.list}>
      <Switch label={texts.lossesOnly} isOn={isLossesOnly} onChange={setLossesOnly} />
      {notes.length === 0 && <p className={styles.quiet}>{texts.nothingLeft}</p>}
      <ul>
        {notes.slice(0, shown).map((note) => (
          <NoteRow key={note.place} note={note} />
        ))}
      </ul>
      {notes.length > shown && <Button onPress={() => setShown(shown + STEP)}>{texts.more}</Button>}
      {report.refused.length > 0 && (
        <>
          <h2 className={styles.heading}>{texts.outside}</h2>
          <ul className={styles.losses}>
            {report.refused.slice(0, shown).map(({ place, reason }) => (
              <li key={`${place} ${reason}`} dir="auto">
                {texts.unresolved(place, reason)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function NoteRow({ note }: { note: ImportNote }) {
  const texts = useTexts(importTexts);
  const { typeOf } = useWorld();
  const type = typeOf(note.entity_type);
  const isTaken = note.action !== 'refuse';
  return (
    <li className={styles.note} data-action={note.action}>
      <div className={styles.place} dir="auto">
        {note.place}
      </div>
      <div className={styles.becomes}>
        {isTaken && <ColorMark color={type?.color} />}
        <span dir="auto">{isTaken ? `${type?.label ?? note.entity_type}: ${note.name}` : note.reason}</span>
      </div>
      <div className={styles.action}>{texts.actions[note.action]}</div>
      <Details note={note} />
    </li>
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
