import { type FormEvent, type ReactNode, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import styles from './worlds.module.css';
import { worldsTexts } from './worlds-texts.ts';

interface WorldDialogProps {
  title: string;
  action: string;
  isReady: boolean;
  /** Rejects with what the service refused, which is then shown. */
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A form of a few fields about a world. */
export function WorldDialog({ title, action, isReady, onSubmit, onClose, children }: WorldDialogProps) {
  const texts = useTexts(worldsTexts);
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isPending || !isReady) return;
    setPending(true);
    setFault(null);
    try {
      await onSubmit();
    } catch (error) {
      setFault(detailOf(error) ?? texts.unreachable);
      setPending(false);
    }
  }

  return (
    <Dialog title={title} isOpen onClose={onClose} closeLabel={texts.cancel}>
      <form className={styles.form} onSubmit={submit}>
        {children}
        {fault && <Notice tone="error">{fault}</Notice>}
        <div className={styles.actions}>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button type="submit" tone="primary" isDisabled={!isReady} isPending={isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
