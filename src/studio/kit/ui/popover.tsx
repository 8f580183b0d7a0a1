import type { ReactNode } from 'react';
import { Popover as AriaPopover, Dialog, DialogTrigger } from 'react-aria-components';
import styles from './popover.module.css';
import { returningFocus } from './returning-focus.ts';

export const popoverClass = styles.popover ?? '';

export interface PopoverProps {
  label: string;
  /** A button of this kit. */
  trigger: ReactNode;
  children: ReactNode | ((close: () => void) => ReactNode);
}

export const Popover = ({ label, trigger, children }: PopoverProps) => (
  <DialogTrigger>
    {trigger}
    <AriaPopover ref={returningFocus} className={popoverClass} offset={6}>
      <Dialog aria-label={label} className={styles.content ?? ''}>
        {({ close }) => (typeof children === 'function' ? children(close) : children)}
      </Dialog>
    </AriaPopover>
  </DialogTrigger>
);
