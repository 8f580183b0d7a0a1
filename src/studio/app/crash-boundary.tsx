import { Component, type ReactNode } from 'react';
import { textsNow } from '../kit/i18n/texts.ts';
import { Button } from '../kit/ui/button.tsx';
import { EmptyState } from '../kit/ui/empty-state.tsx';
import { appTexts } from './app-texts.ts';
import styles from './message.module.css';

/** An open page asks for files that are gone after an update of the service, or while the network is away. */
const isGoneChunk = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

/** A fault in a page becomes a message with a way on. Drafts are in the browser's store by then. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const texts = textsNow(appTexts);
    const reload = <Button onPress={() => location.reload()}>{texts.reload}</Button>;
    return (
      <main className={styles.page}>
        <EmptyState isPage title={texts.crashTitle} actions={reload}>
          {isGoneChunk(error) ? texts.chunkGone : texts.crash}
        </EmptyState>
      </main>
    );
  }
}
