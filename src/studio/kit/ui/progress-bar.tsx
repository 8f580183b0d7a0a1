import type { CSSProperties } from 'react';
import { ProgressBar as AriaProgressBar, Label } from 'react-aria-components';
import styles from './progress-bar.module.css';

export interface ProgressBarProps {
  label: string;
  /** From 0 to 1; null if nobody knows. */
  share: number | null;
  /** The progress in words, such as `12 of 40`. */
  text?: string;
}

export const ProgressBar = ({ label, share, text }: ProgressBarProps) => (
  <AriaProgressBar
    className={styles.progress ?? ''}
    value={(share ?? 0) * 100}
    isIndeterminate={share === null}
    {...(text !== undefined && { valueLabel: text })}
  >
    {({ valueText }) => (
      <>
        <div className={styles.row}>
          <Label>{label}</Label>
          <span className={styles.value}>{valueText}</span>
        </div>
        <div className={styles.track}>
          <div
            className={styles.bar}
            style={{ '--share': share ?? 0.3 } as CSSProperties}
            data-unknown={share === null || undefined}
          />
        </div>
      </>
    )}
  </AriaProgressBar>
);
