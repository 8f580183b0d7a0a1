import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet';
export type ButtonSize = 's' | 'm' | 'l';

interface CommonProps {
  tone?: ButtonTone;
  size?: ButtonSize;
  type?: 'button' | 'submit';
  onPress?: () => void;
  isDisabled?: boolean | undefined;
  /** It stays focusable and says that it works. */
  isPending?: boolean;
  autoFocus?: boolean;
}

export interface ButtonProps extends CommonProps {
  children: ReactNode;
  icon?: ReactNode;
  /** Behind the text. */
  endIcon?: ReactNode;
  /** Takes the place of the text for screen readers. */
  label?: string;
}

export interface IconButtonProps extends CommonProps {
  icon: ReactNode;
  label: string;
  /** For buttons within a control that speaks for them. */
  hasTooltip?: boolean;
}

export const buttonClass = (tone: ButtonTone = 'plain', size: ButtonSize = 'm', isIconOnly = false): string =>
  classNames(styles.button, styles[tone], styles[size], isIconOnly && styles.iconOnly);

/** Gives way where the button has less room than its words. */
export const ButtonText = ({ children }: { children: ReactNode }) => (
  <span className={styles.text}>{children}</span>
);

export const Button = ({ tone, size, label, icon, endIcon, children, ...props }: ButtonProps) => (
  <AriaButton
    {...definedOf(props)}
    {...(label && { 'aria-label': label })}
    className={buttonClass(tone, size)}
  >
    {icon}
    <ButtonText>{children}</ButtonText>
    {endIcon}
  </AriaButton>
);

export function IconButton({
  tone = 'quiet',
  size,
  label,
  icon,
  hasTooltip = true,
  ...props
}: IconButtonProps) {
  const button = (
    <AriaButton {...definedOf(props)} aria-label={label} className={buttonClass(tone, size, true)}>
      {icon}
    </AriaButton>
  );
  return hasTooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}

const definedOf = ({ isDisabled = false, ...props }: CommonProps) => ({ ...props, isDisabled });
