import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import styles from './tooltip.module.css';

export interface TooltipProps {
  text: string;
  /** Keys that do the same. */
  keys?: string;
  /** A button or a link of this kit. */
  children: ReactNode;
}

export const Tooltip = ({ text, keys, children }: TooltipProps) => (
  <TooltipTrigger delay={500} closeDelay={50}>
    {children}
    <AriaTooltip className={styles.tooltip ?? ''} offset={6}>
      {text}
      {keys && <kbd className={styles.keys}>{keys}</kbd>}
    </AriaTooltip>
  </TooltipTrigger>
);
