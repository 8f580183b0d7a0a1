import type { DifferenceLine, DifferencePart } from '../../../domain/text-difference.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Hidden } from '../../../kit/ui/hidden.tsx';
import { MarkedText } from '../../../kit/ui/marked-text.tsx';
import styles from './history.module.css';
import { historyTexts } from './history-texts.ts';

export function TextChanges({ parts }: { parts: readonly DifferencePart[] }) {
  const texts = useTexts(historyTexts);
  return (
    <section>
      <h3 className={styles.heading}>{texts.text}</h3>
      <div className={styles.lines}>
        {parts.map((part) =>
          part.kind === 'gap' ? (
            <p key={`gap ${part.first}`} className={styles.gap}>
              {texts.equalLines(part.count)}
            </p>
          ) : (
            part.lines.map((line) => <Line key={`${line.kind} ${line.number}`} line={line} />)
          ),
        )}
      </div>
    </section>
  );
}

const SIGNS = { same: '', removed: '−', added: '+' } as const;

function Line({ line: { kind, pieces, number } }: { line: DifferenceLine }) {
  const texts = useTexts(historyTexts);
  return (
    <p className={styles.line} data-kind={kind}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <span className={styles.sign} aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span className={styles.words} dir="auto">
        {kind === 'same' ? (
          pieces.map(({ text }) => text).join('')
        ) : (
          <>
            <Hidden>{kind === 'removed' ? texts.removedLine : texts.addedLine} </Hidden>
            <MarkedText kind={kind} pieces={pieces} />
          </>
        )}
      </span>
    </p>
  );
}
