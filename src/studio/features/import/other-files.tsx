import { useMemo, useState } from 'react';
import type { ImportReport } from '../../data/import.ts';
import { otherFiles } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';

const STEP = 100;

/** The files of an import that are no notes, and the notes that cannot be read. */
export function OtherFiles({ report }: { report: ImportReport }) {
  const texts = useTexts(importTexts);
  const [shown, setShown] = useState(STEP);
  const { files, more } = useMemo(() => otherFiles(report), [report]);
  if (files.length === 0 && more === 0) return null;
  return (
    <>
      <h2 className={styles.heading}>{texts.outside}</h2>
      <ul className={styles.losses}>
        {files.slice(0, shown).map(({ place, reason }) => (
          <li key={`${place} ${reason}`} dir="auto">
            {texts.unresolved(place, reason)}
          </li>
        ))}
        {files.length <= shown && more > 0 && <li>{texts.andMore(more)}</li>}
      </ul>
      {files.length > shown && <Button onPress={() => setShown(shown + STEP)}>{texts.more}</Button>}
    </>
  );
}
