import { Select as AriaSelect, Button, Popover, SelectValue } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ariaFieldOf, boxClass, FieldFrame, type FieldProps } from './field.tsx';
import { Icon } from './icons.tsx';
import { type Option, OptionList } from './option-list.tsx';
import { useOutlet } from './outlet.tsx';
import { popoverClass } from './popover.tsx';
import { returningFocus } from './returning-focus.ts';
import styles from './select.module.css';

export interface SelectProps extends FieldProps {
  options: readonly Option[];
  value: string | null;
  onChange: (id: string) => void;
  onFocus?: () => void;
  placeholder: string;
}

export function Select({ options, value, onChange, onFocus, placeholder, ...field }: SelectProps) {
  const { isReadOnly, ...aria } = ariaFieldOf(field);
  const more = useOutlet(field.more);
  return (
    <>
      <AriaSelect
        {...aria}
        isDisabled={aria.isDisabled || isReadOnly}
        placeholder={placeholder}
        value={value}
        onChange={(id) => id !== null && onChange(String(id))}
        {...(onFocus && { onFocus })}
      >
        <FieldFrame {...field} more={more.place}>
          <Button className={classNames(boxClass, styles.button)}>
            <SelectValue className={styles.value ?? ''}>
              {({ selectedText, defaultChildren }) => (
                <span dir="auto">{selectedText || defaultChildren}</span>
              )}
            </SelectValue>
            <Icon name="chevronDown" />
          </Button>
        </FieldFrame>
        <Popover ref={returningFocus} className={popoverClass} offset={4}>
          <OptionList options={options} hasMarks />
        </Popover>
      </AriaSelect>
      {more.content}
    </>
  );
}
