import { type FormEvent, useState } from 'react';
import styles from './acceptance.module.css';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { announce } from './live-region.tsx';
import { Notice } from './notice.tsx';
import { TextArea } from './text-area.tsx';

export interface AcceptanceWords {
  accept: string;
  acceptTitle: string;
  acceptDo: string;
  acceptedNow: string;
  reason: string;
  reasonHelp: string;
  reopen: string;
  reopenedNow: string;
  cancel: string;
  close: string;
}

export interface AcceptanceProps {
  words: AcceptanceWords;
  /** What is accepted, in words. */
  message: string;
  isAccepted: boolean;
  longestReason: number;
  isPending: boolean;
  /** Why the last try failed. */
  fault: string | null;
  /** The dialog opens anew. */
  onOpen: () => void;
  onAccept: (reason: string, onDone: () => void) => void;
  onReopen: (onDone: () => void) => void;
}

/** Accepts something that is wrong, with a reason, or takes that back. */
export const Acceptance = (props: AcceptanceProps) =>
  props.isAccepted ? <Reopen {...props} /> : <Accept {...props} />;

function Accept(props: AcceptanceProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    props.onOpen();
    setOpen(true);
  };
  return (
    <>
      <Button size="s" onPress={open}>
        {props.words.accept}
      </Button>
      {isOpen && <AcceptDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

interface AcceptDialogProps extends AcceptanceProps {
  onClose: () => void;
}

function AcceptDialog({
  words,
  message,
  longestReason,
  isPending,
  fault,
  onAccept,
  onClose,
}: AcceptDialogProps) {
  const [reason, setReason] = useState('');
  const canAccept = reason.trim() !== '' && !isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canAccept) return;
    onAccept(reason.trim(), () => {
      announce(words.acceptedNow);
      onClose();
    });
  };
  return (
    <Dialog title={words.acceptTitle} isOpen onClose={onClose} closeLabel={words.close}>
      <form className={styles.form} onSubmit={submit}>
        <p dir="auto">{message}</p>
        {fault !== null && <Notice tone="error">{fault}</Notice>}
        <TextArea
          label={words.reason}
          value={reason}
          onChange={(text) => setReason(text.slice(0, longestReason))}
          help={words.reasonHelp}
          rows={3}
          autoFocus
        />
        <div className={styles.buttons}>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button tone="primary" type="submit" isDisabled={!canAccept} isPending={isPending}>
            {words.acceptDo}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const Reopen = ({ words, isPending, fault, onReopen }: AcceptanceProps) => (
  <>
    <Button size="s" isPending={isPending} onPress={() => onReopen(() => announce(words.reopenedNow))}>
      {words.reopen}
    </Button>
    {fault !== null && <Notice tone="error">{fault}</Notice>}
  </>
);
