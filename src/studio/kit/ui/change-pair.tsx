import type { ReactNode } from 'react';
import styles from './change-pair.module.css';
import { MarkedText } from './marked-text.tsx';

type Pieces = readonly { text: string; isChanged: boolean }[];

interface ChangePairProps {
  before: Pieces;
  after: Pieces;
  /** The word for a side without a value. */
  nothing: string;
}

/** A value before and after a change, beside each other where there is room. */
export const ChangePair = ({ before, after, nothing }: ChangePairProps): ReactNode => (
  <div className={styles.pair}>
    <p className={styles.old} dir="auto">
      {before.length > 0 ? (
        <MarkedText kind="removed" pieces={before} />
      ) : (
        <em className={styles.nothing}>{nothing}</em>
      )}
    </p>
    <p className={styles.new} dir="auto">
      {after.length > 0 ? (
        <MarkedText kind="added" pieces={after} />
      ) : (
        <em className={styles.nothing}>{nothing}</em>
      )}
    </p>
  </div>
);
