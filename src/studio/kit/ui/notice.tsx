import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icons.tsx';
import styles from './notice.module.css';

export type NoticeTone = 'info' | 'success' | 'warning' | 'error';

export interface NoticeProps {
  tone?: NoticeTone;
  children: ReactNode;
  actions?: ReactNode;
  /** Across the whole width, for the state of the page. */
  isStrip?: boolean;
  close?: { label: string; onPress: () => void };
}

export const Notice = ({ tone = 'info', children, actions, isStrip = false, close }: NoticeProps) => (
  <div
    role={tone === 'error' ? 'alert' : 'status'}
    className={classNames(styles.notice, styles[tone], isStrip && styles.strip)}
  >
    <span className={styles.icon}>
      <Icon name={tone} size={18} />
    </span>
    <div className={styles.text}>{children}</div>
    {actions && <div className={styles.actions}>{actions}</div>}
    {close && (
      <IconButton size="s" label={close.label} icon={<Icon name="close" />} onPress={close.onPress} />
    )}
  </div>
);
