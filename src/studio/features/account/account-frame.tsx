import type { ReactNode } from 'react';
import styles from './account.module.css';

interface AccountFrameProps {
  title: string;
  why?: string;
  children: ReactNode;
  /** Other ways from here. */
  footer?: ReactNode;
}

/** The page of someone who is not signed in: one column, nothing else. */
export const AccountFrame = ({ title, why, children, footer }: AccountFrameProps) => (
  <main className={styles.page}>
    <div className={styles.card}>
      <img className={styles.logo} src="/studio/icon.svg" alt="" width={40} height={40} />
      <h1 className={styles.title}>{title}</h1>
      {why && <p className={styles.why}>{why}</p>}
      <div className={styles.content}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </div>
  </main>
);
