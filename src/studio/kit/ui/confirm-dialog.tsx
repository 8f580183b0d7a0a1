import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

export interface ConfirmDialogProps {
  title: string;
  /** The consequences, in words. */
  children: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  cancelLabel: string;
  /** It closes when this resolves; what it rejects with is shown, as `faultOf` says it. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  faultOf: (error: unknown) => string;
}

/** Asks before something that cannot be taken back. Render it while the question stands. */
export function ConfirmDialog({ title, children, action, cancelLabel, ...rest }: ConfirmDialogProps) {
  const { onConfirm, onClose, faultOf } = rest;
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function confirm() {
    if (isPending) return;
    setPending(true);
    setFault(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFault(faultOf(error));
      setPending(false);
    }
  }

  return (
    <Dialog
      title={title}
      isOpen
      isAlert
      onClose={onClose}
      closeLabel={cancelLabel}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {cancelLabel}
          </Button>
          <Button tone="danger" isPending={isPending} onPress={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {fault && <Notice tone="error">{fault}</Notice>}
    </Dialog>
  );
}
