import { useSyncExternalStore } from 'react';
import styles from './hidden.module.css';

export type Urgency = 'polite' | 'assertive';

interface Announcement {
  text: string;
  /** The same words twice are two announcements. */
  count: number;
}

const NOTHING: Announcement = { text: '', count: 0 };
const said: Record<Urgency, Announcement> = { polite: NOTHING, assertive: NOTHING };
const listeners = new Set<() => void>();

/** Screen readers say it; nothing is shown. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  said[urgency] = { text, count: said[urgency].count + 1 };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const useSaid = (urgency: Urgency): Announcement => useSyncExternalStore(subscribe, () => said[urgency]);

export function LiveRegion() {
  const polite = useSaid('polite');
  const assertive = useSaid('assertive');
  return (
    <div className={styles.hidden}>
      <div role="status" aria-live="polite">
        <span key={polite.count}>{polite.text}</span>
      </div>
      <div role="alert" aria-live="assertive">
        <span key={assertive.count}>{assertive.text}</span>
      </div>
    </div>
  );
}
