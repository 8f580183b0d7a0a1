import { addressOf } from '../domain/places.ts';
import { useTexts } from '../kit/i18n/texts.ts';
import { EmptyState } from '../kit/ui/empty-state.tsx';
import { LinkButton } from '../kit/ui/link.tsx';
import { appTexts } from './app-texts.ts';
import styles from './message.module.css';

/** The address names no screen. */
export function Unknown() {
  const texts = useTexts(appTexts);
  const toStart = <LinkButton href={addressOf({ screen: 'start' })}>{texts.toStart}</LinkButton>;
  return (
    <section className={styles.page}>
      <title>{texts.unknownTitle}</title>
      <EmptyState isPage title={texts.unknownTitle} actions={toStart}>
        {texts.unknown}
      </EmptyState>
    </section>
  );
}
