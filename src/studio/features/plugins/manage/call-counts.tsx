import { type CallCount, totalsOf } from '../../../domain/plugins/log-lines.ts';
import { shownAgo } from '../../../kit/i18n/format.ts';
import { shownSpan } from '../../../kit/i18n/measures.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { callWords, logTexts } from './log-texts.ts';
import styles from './manage.module.css';

/** How often each part of a plugin's code ran, how long it took, and how it ended. */
export function CallCounts({ counts }: { counts: readonly CallCount[] }) {
  const texts = useTexts(logTexts);
  const { calls, failed, lastAt, lastFailedAt } = totalsOf(counts);
  if (lastAt === null) return <p>{texts.neverRan}</p>;
  return (
    <>
      <p>
        {texts.ran(calls, shownAgo(lastAt))}{' '}
        {lastFailedAt === null ? texts.neverFailed : texts.failedTimes(failed, shownAgo(lastFailedAt))}
      </p>
      <ul className={styles.list}>
        {counts.map((count) => (
          <Count key={count.call} count={count} />
        ))}
      </ul>
    </>
  );
}

function Count({ count: { call, calls, failed, mean_ms, slowest_ms, last_at } }: { count: CallCount }) {
  const texts = useTexts(logTexts);
  const about = [
    texts.count(calls),
    ...(failed === 0 ? [] : [texts.ofThemFailed(failed)]),
    calls === 1 ? shownSpan(mean_ms) : texts.times(shownSpan(mean_ms), shownSpan(slowest_ms)),
    texts.last(shownAgo(last_at)),
  ];
  return (
    <li className={styles.item}>
      <span>{callWords(call, texts)}</span>
      <span className={styles.quiet}>{about.join(' · ')}</span>
    </li>
  );
}
