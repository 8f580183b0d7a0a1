import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { type ButtonSize, ButtonText, type ButtonTone, buttonClass } from './button.tsx';
import styles from './link.module.css';
import { Tooltip } from './tooltip.tsx';

interface LinkProps {
  href: string;
  children: ReactNode;
  /** In another window. */
  isExternal?: boolean;
}

const outside = { target: '_blank', rel: 'noreferrer' } as const;

export const TextLink = ({ href, children, isExternal = false }: LinkProps) => (
  <Link href={href} className={styles.link ?? ''} {...(isExternal && outside)}>
    {children}
  </Link>
);

export interface LinkButtonProps extends LinkProps {
  tone?: ButtonTone;
  size?: ButtonSize;
  icon?: ReactNode;
}

export interface IconLinkProps {
  href: string;
  label: string;
  icon: ReactNode;
}

/** To another site. */
export const IconLink = ({ href, label, icon }: IconLinkProps) => (
  <Tooltip text={label}>
    <Link href={href} aria-label={label} className={buttonClass('quiet', 's', true)} {...outside}>
      {icon}
    </Link>
  </Tooltip>
);

/** Goes somewhere, and looks like a button. */
export const LinkButton = ({ href, children, isExternal = false, tone, size, icon }: LinkButtonProps) => (
  <Link href={href} className={buttonClass(tone, size)} {...(isExternal && outside)}>
    {icon}
    <ButtonText>{children}</ButtonText>
  </Link>
);
