import type { ReactNode } from 'react';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Toasts } from '../../kit/ui/toasts.tsx';
import { appTexts } from '../app-texts.ts';
import { BottomBar } from './bottom-bar.tsx';
import styles from './frame.module.css';
import { Overlays } from './overlays.tsx';
import { Sidebar } from './sidebar.tsx';
import { StoreStrip } from './store-strip.tsx';

/** The frame around every page of a world: navigation, and the page itself. */
export function Frame({ children }: { children: ReactNode }) {
  const texts = useTexts(appTexts);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {texts.skip}
      </a>
      <Sidebar />
      <div className={styles.content}>
        <StoreStrip />
        <main id="page" className={styles.page} tabIndex={-1}>
          {children}
        </main>
      </div>
      <BottomBar />
      <Overlays />
      <Toasts label={texts.news} closeLabel={texts.close} />
    </div>
  );
}
