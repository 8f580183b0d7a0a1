import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { Hidden } from './hidden.tsx';
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

export interface SheetProps extends Omit<DialogProps, 'isAlert'> {
  /** In the place of the title, which is for screen readers alone then. */
  head?: ReactNode;
}

/** At the side, and at the bottom of a phone. */
export const Sheet = (props: SheetProps) => <Overlay {...props} className={styles.sheet} isAlert={false} />;

interface OverlayProps extends SheetProps {
  className: string | undefined;
  isAlert: boolean;
}

const Overlay = ({
  title,
  head,
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
          <div className={styles.head}>
            <Heading slot="title" level={2} className={styles.title ?? ''}>
              {head ? <Hidden>{title}</Hidden> : title}
            </Heading>
            {head}
          </div>
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
