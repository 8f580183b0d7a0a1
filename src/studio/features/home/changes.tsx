import { Fragment } from 'react';
import { type Change, useActivity } from '../../data/activity.ts';
import { useTrail } from '../../data/trail.ts';
import { useWorld } from '../../data/world.tsx';
import { daysOf } from '../../domain/activity-days.ts';
import { shownAgo, shownDay } from '../../kit/i18n/format.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { ChangeRow, ManyChanges } from './change-row.tsx';
import styles from './home.module.css';
import { homeTexts } from './home-texts.ts';

export function Changes() {
  const texts = useTexts(homeTexts);
  const { project } = useWorld();
  const { changes, isComplete, readMore, error } = useActivity(project);
  const before = useTrail(project)?.before ?? null;
  return (
    <section className={styles.section} aria-label={texts.changes}>
      <h2 className={styles.heading}>{texts.changes}</h2>
      {error && <Notice tone="error">{texts.failed}</Notice>}
      {!changes && !error && <Skeleton lines={8} height="1.75rem" />}
      {changes?.length === 0 && <p className={styles.quiet}>{texts.noChanges}</p>}
      {changes && changes.length > 0 && <Days changes={changes} isComplete={isComplete} before={before} />}
      {changes && !isComplete && <Button onPress={readMore}>{texts.more}</Button>}
    </section>
  );
}

interface DaysProps {
  changes: readonly Change[];
  isComplete: boolean;
  /** The end of the user's last visit. */
  before: number | null;
}

/** A line stands where the user was last here. */
function Days({ changes, isComplete, before }: DaysProps) {
  const texts = useTexts(homeTexts);
  const isSeen = ({ at }: Change) => before !== null && Date.parse(at) <= before;
  const days = daysOf(changes);
  const firstSeen = days.flatMap(({ runs }) => runs).find(({ changes: [first] }) => isSeen(first));
  const oldest = days.at(-1)?.runs.at(-1);
  const newest = changes[0];
  const isAllSeen = newest !== undefined && isSeen(newest);
  return (
    <>
      {isAllSeen && before !== null && <p className={styles.quiet}>{texts.nothingSince(shownAgo(before))}</p>}
      {days.map(({ start, runs }) => (
        <div key={start}>
          <h3 className={styles.day}>
            <Day start={start} />
          </h3>
          <ul className={styles.changes}>
            {runs.map((run) => (
              <Fragment key={keyOf(run.changes[0])}>
                {run === firstSeen && !isAllSeen && before !== null && (
                  <li className={styles.seen}>{texts.hereSince(shownAgo(before))}</li>
                )}
                {run.changes.length === 1 ? (
                  <ChangeRow change={run.changes[0]} />
                ) : (
                  <ManyChanges changes={run.changes} hasMore={!isComplete && run === oldest} />
                )}
              </Fragment>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

const keyOf = ({ entity_type, entity_id, at }: Change): string => `${entity_type}/${entity_id} ${at}`;

function Day({ start }: { start: number }) {
  const texts = useTexts(homeTexts);
  const today = new Date();
  if (start === today.setHours(0, 0, 0, 0)) return texts.today;
  if (start === today.setDate(today.getDate() - 1)) return texts.yesterday;
  return shownDay(start);
}
