import type { ReactNode } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ColorMark } from './color-mark.tsx';
import { Icon } from './icons.tsx';
import styles from './list-items.module.css';

export interface Option {
  id: string;
  label: string;
  /** A word about it, such as its type. */
  detail?: string | undefined;
  color?: string | null | undefined;
  icon?: ReactNode;
}

export interface OptionListProps {
  options: readonly Option[];
  /** The chosen one carries a mark. */
  hasMarks?: boolean;
  emptyText?: string | undefined;
}

/** Within a select or a combo box. */
export const OptionList = ({ options, hasMarks = false, emptyText }: OptionListProps) => (
  <ListBox
    className={styles.list ?? ''}
    items={options}
    renderEmptyState={() => emptyText && <div className={styles.empty}>{emptyText}</div>}
  >
    {(option) => (
      <ListBoxItem id={option.id} textValue={option.label} className={classNames(styles.item)}>
        {({ isSelected }) => (
          <>
            {option.color !== undefined && <ColorMark color={option.color} />}
            {option.icon}
            <span className={styles.text} dir="auto">
              {option.label}
            </span>
            {option.detail && <span className={styles.detail}>{option.detail}</span>}
            {hasMarks && <span className={styles.mark}>{isSelected && <Icon name="check" />}</span>}
          </>
        )}
      </ListBoxItem>
    )}
  </ListBox>
);
