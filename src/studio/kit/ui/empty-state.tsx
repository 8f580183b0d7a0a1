import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  icon?: ReactNode;
  actions?: ReactNode;
  /** The page says nothing else, so that this is its heading. */
  isPage?: boolean;
}

export const EmptyState = ({ title, children, icon, actions, isPage = false }: EmptyStateProps) => (
  <div className={styles.empty}>
    {icon && <div className={styles.icon}>{icon}</div>}
    {isPage ? (
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
    ) : (
      <h2 className={styles.title}>{title}</h2>
    )}
    {children && <div className={styles.text}>{children}</div>}
    {actions && <div className={styles.actions}>{actions}</div>}
  </div>
);
