import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { Icon } from './icons.tsx';
import { returningFocus } from './returning-focus.ts';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  closeLabel: string;
  children: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  /** It asks before something that hurts: screen readers read all of it, and a click outside does not close it. */
  isAlert?: boolean;
}

/** Small and modal: a question, or the few words that something new needs. */
export const Dialog = ({ isAlert = false, ...props }: DialogProps) => (
  <Overlay {...props} className={styles.dialog} isAlert={isAlert} />
);

/** At the side, and at the bottom of a phone. */
export const Sheet = (props: Omit<DialogProps, 'isAlert'>) => (
  <Overlay {...props} className={styles.sheet} isAlert={false} />
);

interface OverlayProps extends DialogProps {
  className: string | undefined;
  isAlert: boolean;
}

const Overlay = ({
  title,
  isOpen,
  onClose,
  closeLabel,
  children,
  actions,
  isAlert,
  className,
}: OverlayProps) => (
  <ModalOverlay
    ref={returningFocus}
    className={styles.overlay ?? ''}
    isOpen={isOpen}
    isDismissable={!isAlert}
    onOpenChange={(open) => !open && onClose()}
  >
    <Modal className={classNames(className)}>
      <AriaDialog role={isAlert ? 'alertdialog' : 'dialog'} className={styles.content ?? ''}>
        <header className={styles.header}>
          <Heading slot="title" level={2} className={styles.title ?? ''}>
            {title}
          </Heading>
          {!isAlert && (
            <IconButton size="s" label={closeLabel} icon={<Icon name="close" />} onPress={onClose} />
          )}
        </header>
        <div className={styles.body}>{children}</div>
        {actions && <footer className={styles.actions}>{actions}</footer>}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);
