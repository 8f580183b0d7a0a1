import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react';
import { TextField as AriaTextField, Input } from 'react-aria-components';
import { ariaFieldOf, boxClass, FieldFrame, type FieldProps } from './field.tsx';
import styles from './text-field.module.css';

export interface FieldKey {
  key: string;
  shiftKey: boolean;
  target: EventTarget;
  preventDefault: () => void;
}

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  onKeyDown?: (event: FieldKey) => void;
  placeholder?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'tel';
  inputMode?: 'text' | 'numeric' | 'decimal' | 'url';
  name?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  maxLength?: number;
  /** At the end of the input, such as a button that shows a password. */
  end?: ReactNode;
}

export function TextField({ value, onChange, onFocus, onBlur, onKeyDown, ...props }: TextFieldProps) {
  const {
    placeholder,
    type = 'text',
    inputMode,
    name,
    autoComplete,
    autoFocus = false,
    maxLength,
    end,
    ...field
  } = props;
  return (
    <AriaTextField
      {...ariaFieldOf(field)}
      value={value}
      onChange={onChange}
      type={type}
      autoFocus={autoFocus}
      {...(onFocus && { onFocus })}
      {...(onBlur && { onBlur })}
      {...(onKeyDown && { onKeyDown: (event) => passOn(event, onKeyDown) })}
      {...(name !== undefined && { name })}
      {...(autoComplete !== undefined && { autoComplete })}
      {...(maxLength !== undefined && { maxLength })}
      {...(inputMode !== undefined && { inputMode })}
    >
      <FieldFrame {...field}>
        <div className={styles.row}>
          <Input className={boxClass} dir="auto" {...(placeholder !== undefined && { placeholder })} />
          {end && <div className={styles.end}>{end}</div>}
        </div>
      </FieldFrame>
    </AriaTextField>
  );
}

type PassedKey = FieldKey & { continuePropagation: () => void };

function passOn(event: PassedKey, onKeyDown: (event: FieldKey) => void): void {
  onKeyDown(event);
  event.continuePropagation();
}
