import { type FormEvent, type ReactNode, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import styles from './account.module.css';
import { accountTexts } from './account-texts.ts';

interface AccountFormProps {
  action: string;
  /** Rejects with what the service refused; the form then shows it and keeps what was typed. */
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** Fields above one button, which shows that it works and what went wrong. */
export function AccountForm({ action, onSubmit, children }: AccountFormProps) {
  const texts = useTexts(accountTexts);
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setFault(null);
    try {
      await onSubmit();
    } catch (error) {
      setFault(detailOf(error) ?? texts.unreachable);
    } finally {
      setPending(false);
    }
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      {fault && <Notice tone="error">{fault}</Notice>}
      {children}
      <Button type="submit" tone="primary" size="l" isPending={isPending}>
        {action}
      </Button>
    </form>
  );
}
