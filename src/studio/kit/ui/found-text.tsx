import type { ReactNode } from 'react';
import styles from './found-text.module.css';

export interface FoundTextProps {
  text: string;
  /** Start and end of each part that was searched for, in order. */
  ranges: readonly (readonly number[])[];
}

/** A text in which what was searched for stands out. */
export function FoundText({ text, ranges }: FoundTextProps): ReactNode {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of ranges) {
    if (start < at || end <= start) continue;
    parts.push(
      text.slice(at, start),
      <mark key={start} className={styles.mark}>
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}
