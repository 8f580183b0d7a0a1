import type { ReactNode, RefObject } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Header,
  MenuSection,
  Popover,
} from 'react-aria-components';
import { classNames } from './class-names.ts';
import styles from './list-items.module.css';
import { popoverClass } from './popover.tsx';
import { returningFocus } from './returning-focus.ts';

export interface MenuItem {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Keys that do the same, or a word about it. */
  detail?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** The address that the item leads to; without one, `onSelect` is called. */
  href?: string;
  onSelect?: () => void;
}

export interface MenuGroup {
  label: string;
  items: readonly MenuItem[];
}

/** Where the focus goes in a menu that opens: to the menu itself after a click. */
export type MenuFocus = 'first' | 'last' | true;

export interface MenuListProps {
  label: string;
  items: readonly (MenuItem | MenuGroup)[];
  button: RefObject<HTMLElement | null>;
  /** Null while the menu is closed. */
  focus: MenuFocus | null;
  onClose: () => void;
}

export const MenuList = ({ label, items, button, focus, onClose }: MenuListProps) => (
  <Popover
    ref={returningFocus}
    triggerRef={button}
    trigger="MenuTrigger"
    isOpen={focus !== null}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    aria-label={label}
    placement="bottom start"
    offset={4}
    className={popoverClass}
  >
    <AriaMenu aria-label={label} autoFocus={focus ?? true} onClose={onClose} className={styles.list ?? ''}>
      {items.map((entry) => ('items' in entry ? groupOf(entry) : itemOf(entry)))}
    </AriaMenu>
  </Popover>
);

const groupOf = ({ label, items }: MenuGroup) => (
  <MenuSection key={label}>
    <Header className={styles.heading}>{label}</Header>
    {items.map(itemOf)}
  </MenuSection>
);

const itemOf = ({
  id,
  label,
  icon,
  detail,
  isDanger = false,
  isDisabled = false,
  href,
  onSelect,
}: MenuItem) => (
  <AriaMenuItem
    key={id}
    id={id}
    textValue={label}
    isDisabled={isDisabled}
    className={classNames(styles.item, isDanger && styles.danger)}
    {...(href !== undefined && { href })}
    {...(onSelect && { onAction: onSelect })}
  >
    {icon}
    <span className={styles.text}>{label}</span>
    {detail && <span className={styles.detail}>{detail}</span>}
  </AriaMenuItem>
);
