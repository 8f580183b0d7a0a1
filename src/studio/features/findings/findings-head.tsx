import { useState } from 'react';
import type { Findings } from '../../data/findings/use-findings.ts';
import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import styles from './findings.module.css';
import { findingsTexts } from './findings-texts.ts';
import { Fixes } from './fixes.tsx';

/** When the world was looked through, and the button that does so again. */
export function FindingsHead({ state, onCheck }: { state: Findings; onCheck: () => void }) {
  const texts = useTexts(findingsTexts);
  const { can } = useWorld();
  const [isFixing, setFixing] = useState(false);
  return (
    <header className={styles.head}>
      <h1 className={styles.title} tabIndex={-1}>
        {texts.title}
      </h1>
      <p className={styles.when} role="status">
        <When state={state} />
      </p>
      <div className={styles.buttons}>
        {can('edit_entities') && <Button onPress={() => setFixing(true)}>{texts.fix}</Button>}
        <Button onPress={onCheck} isPending={state.isChecking}>
          {texts.checkNow}
        </Button>
      </div>
      {isFixing && <Fixes onClose={() => setFixing(false)} />}
    </header>
  );
}

function When({ state: { isChecking, progress, checked, findings } }: { state: Findings }) {
  const texts = useTexts(findingsTexts);
  if (isChecking && progress && progress.total > 0)
    return (
      <>
        {texts.progress(progress.done, progress.total)}
        <progress className={styles.progress} value={progress.done} max={progress.total} aria-hidden="true" />
      </>
    );
  if (isChecking) return texts.checking;
  if (checked) return texts.checked(checked.entities, checked.at);
  return findings ? texts.notChecked : null;
}
