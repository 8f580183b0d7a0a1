import { type ReactNode, useEffect, useState } from 'react';
import { ComboBox as AriaComboBox, Group, Input, Popover } from 'react-aria-components';
import { classNames } from './class-names.ts';
import styles from './combo-box.module.css';
import { ariaFieldOf, boxClass, FieldFrame, type FieldProps } from './field.tsx';
import { type Option, OptionList } from './option-list.tsx';
import { useOutlet } from './outlet.tsx';
import { popoverClass } from './popover.tsx';

export interface ComboBoxProps extends FieldProps {
  /** The options that fit the text; the caller filters. */
  options: readonly Option[];
  text: string;
  onTextChange: (text: string) => void;
  onPick: (id: string) => void;
  /** Enter, while no option has the focus. */
  onEnter?: () => void;
  onBackspace?: () => void;
  onFocus?: () => void;
  placeholder?: string | undefined;
  emptyText?: string | undefined;
  /** Before the input, such as what was picked. */
  start?: ReactNode;
}

/** A text with proposals: the caller keeps the text and takes what is picked. */
export function ComboBox({
  options,
  text,
  onTextChange,
  onPick,
  onEnter,
  onBackspace,
  onFocus,
  ...props
}: ComboBoxProps) {
  const { placeholder, emptyText, start, ...field } = props;
  const [picked, setPicked] = useMomentary();
  const pick = (id: string | number | null) => {
    if (id === null) return;
    setPicked(String(id));
    onPick(String(id));
  };
  const more = useOutlet(field.more);
  const before = useOutlet(start);
  const onKey = (key: string) => {
    if (key === 'Enter') onEnter?.();
    if (key === 'Backspace' && text === '') onBackspace?.();
  };
  return (
    <>
      <AriaComboBox
        {...ariaFieldOf(field)}
        items={options}
        defaultFilter={() => true}
        allowsCustomValue
        allowsEmptyCollection={emptyText !== undefined && text !== ''}
        // A text that is emptied, as after a pick, opens nothing; the arrow keys always do.
        menuTrigger={text === '' ? 'manual' : 'input'}
        value={picked}
        inputValue={text}
        onInputChange={onTextChange}
        onChange={pick}
        onKeyDown={(event) => {
          if (isFree(event.target)) onKey(event.key);
          event.continuePropagation();
        }}
        {...(onFocus && { onFocus })}
      >
        <FieldFrame {...field} more={more.place}>
          <Group className={classNames(boxClass, styles.box)} isDisabled={field.isDisabled ?? false}>
            {before.place}
            <Input
              className={styles.input ?? ''}
              dir="auto"
              {...(placeholder !== undefined && { placeholder })}
            />
          </Group>
        </FieldFrame>
        <Popover className={popoverClass} offset={4}>
          <OptionList options={options} emptyText={emptyText} />
        </Popover>
      </AriaComboBox>
      {more.content}
      {before.content}
    </>
  );
}

/** No proposal has the focus, which would take the key for itself. */
const isFree = (target: EventTarget): boolean =>
  target instanceof HTMLElement && !target.getAttribute('aria-activedescendant');

/** React Aria closes the list when its value changes. Nothing stays chosen, so that all can be picked again. */
function useMomentary(): [string | null, (value: string) => void] {
  const [value, setValue] = useState<string | null>(null);
  useEffect(() => {
    if (value !== null) setValue(null);
  }, [value]);
  return [value, setValue];
}
