import type { ReactNode } from 'react';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { TextLink } from '../../kit/ui/link.tsx';
import styles from './me.module.css';
import { meTexts } from './me-texts.ts';

export function MePage({ title, children }: { title: string; children: ReactNode }) {
  const texts = useTexts(meTexts);
  return (
    <main className={styles.page}>
      <title>{title}</title>
      <TextLink href={addressOf({ screen: 'start' })}>{texts.back}</TextLink>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </main>
  );
}
