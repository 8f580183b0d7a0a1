import { useEffect } from 'react';
import { loadSession } from '../data/session.ts';
import { useTexts } from '../kit/i18n/texts.ts';
import { EmptyState } from '../kit/ui/empty-state.tsx';
import { appTexts } from './app-texts.ts';
import styles from './message.module.css';

const TRY_AGAIN_MS = 3000;

/** The service was not reached when the page began. */
export function Unreachable() {
  const texts = useTexts(appTexts);
  useEffect(() => {
    const timer = setInterval(() => void loadSession(), TRY_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <main className={styles.page}>
      <EmptyState isPage title={texts.unreachableTitle}>
        {texts.unreachable}
      </EmptyState>
    </main>
  );
}
