import type { ImportReport } from '../../data/import.ts';
import { writtenNotes } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';
import { ImportTotals } from './import-totals.tsx';
import type { ImportRun } from './use-import.ts';

interface ImportBarProps {
  run: ImportRun;
  /** Null while there is none yet. */
  report: ImportReport | null;
  isCurrent: boolean;
}

/** Stays in view above the notes: the result of the choices, and the button that takes them. */
export function ImportBar({ run: { fault, choices, choose, run }, report, isCurrent }: ImportBarProps) {
  const texts = useTexts(importTexts);
  const written = report === null ? 0 : writtenNotes(report);
  return (
    <div className={styles.bar}>
      {fault !== null && (
        <Notice
          tone="error"
          actions={!isCurrent && <Button onPress={() => choose(choices)}>{texts.tryAgain}</Button>}
        >
          {fault || texts.unreachable}
        </Notice>
      )}
      {report && (
        <div className={styles.outcome}>
          <Button
            tone="primary"
            size="l"
            isPending={!isCurrent && fault === null}
            isDisabled={written === 0 || (!isCurrent && fault !== null)}
            onPress={() => void run()}
          >
            {texts.run(written)}
          </Button>
          <ImportTotals report={report} />
        </div>
      )}
      {report && written === 0 && <Notice>{texts.nothingToDo}</Notice>}
    </div>
  );
}
