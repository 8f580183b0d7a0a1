import type { FieldWords } from '../../../data/field-words.ts';
import { type FieldDifference, wordsOfChange } from '../../../domain/field-differences.ts';
import { markWords } from '../../../domain/word-marks.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { ChangePair } from '../../../kit/ui/change-pair.tsx';
import styles from './history.module.css';
import { historyTexts } from './history-texts.ts';

interface FieldChangesProps {
  type: string;
  changes: readonly FieldDifference[];
  words: FieldWords;
}

export function FieldChanges({ type, changes, words }: FieldChangesProps) {
  const texts = useTexts(historyTexts);
  return (
    <section>
      <h3 className={styles.heading}>{texts.fields}</h3>
      <dl className={styles.changes}>
        {changes.map(({ field, before, after }) => {
          const said = wordsOfChange({ before, after }, (value) => words.textOf(type, field, value));
          const pair = markWords(said.before, said.after);
          return (
            <div key={field} className={styles.change}>
              <dt dir="auto">{words.labelOf(type, field)}</dt>
              <dd>
                <ChangePair {...pair} nothing={texts.nothing} />
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
