import type { ReactNode } from 'react';
import styles from './manage.module.css';

/** One of a list of descriptions. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt className={styles.quiet}>{name}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);
