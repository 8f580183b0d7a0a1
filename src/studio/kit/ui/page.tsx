import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './page.module.css';

export interface PageProps {
  title: string;
  /** Below the heading: what the page is about, or how much there is. */
  why?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
  isWide?: boolean;
}

/** A page to read from top to bottom: its heading, and one column below. */
export const Page = ({ title, why, actions, children, isWide = false }: PageProps) => (
  <div className={classNames(styles.page, isWide && styles.wide)}>
    <title>{title}</title>
    <header className={styles.head}>
      <div className={styles.titles}>
        <h1 className={styles.title} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {why && <p className={styles.why}>{why}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
    {children}
  </div>
);
