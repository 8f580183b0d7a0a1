import type { CSSProperties } from 'react';
import styles from './color-mark.module.css';

/** The colour of a type beside its name: decoration. Without a colour it is grey. */
export const ColorMark = ({ color }: { color?: string | null | undefined }) => (
  <span aria-hidden="true" className={styles.mark} style={{ '--color': color ?? 'gray' } as CSSProperties} />
);
