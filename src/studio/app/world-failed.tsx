import { detailOf } from '../data/errors.ts';
import { addressOf } from '../domain/places.ts';
import { useTexts } from '../kit/i18n/texts.ts';
import { Button } from '../kit/ui/button.tsx';
import { EmptyState } from '../kit/ui/empty-state.tsx';
import { LinkButton } from '../kit/ui/link.tsx';
import { appTexts } from './app-texts.ts';
import styles from './message.module.css';

/** The types of a world could not be read, without which none of its pages can be shown. */
export function WorldFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const texts = useTexts(appTexts);
  const actions = (
    <>
      <LinkButton href={addressOf({ screen: 'worlds' })}>{texts.worlds}</LinkButton>
      <Button tone="primary" onPress={onRetry}>
        {texts.retry}
      </Button>
    </>
  );
  return (
    <main className={styles.page}>
      <EmptyState title={texts.worldFailed} actions={actions}>
        {detailOf(error) ?? texts.unreachableTitle}
      </EmptyState>
    </main>
  );
}
