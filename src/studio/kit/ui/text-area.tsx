import { TextArea as AriaTextArea, TextField as AriaTextField } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ariaFieldOf, boxClass, FieldFrame, type FieldProps } from './field.tsx';
import styles from './text-area.module.css';

export interface TextAreaProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  placeholder?: string | undefined;
  /** The least number of lines that are shown. */
  rows?: number;
  autoFocus?: boolean;
}

/** Grows with its text. */
export function TextArea({
  value,
  onChange,
  onFocus,
  onBlur,
  placeholder,
  rows = 2,
  autoFocus = false,
  ...field
}: TextAreaProps) {
  return (
    <AriaTextField
      {...ariaFieldOf(field)}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      {...(onFocus && { onFocus })}
      {...(onBlur && { onBlur })}
    >
      <FieldFrame {...field}>
        <AriaTextArea
          className={classNames(boxClass, styles.area)}
          dir="auto"
          rows={rows}
          {...(placeholder !== undefined && { placeholder })}
        />
      </FieldFrame>
    </AriaTextField>
  );
}
