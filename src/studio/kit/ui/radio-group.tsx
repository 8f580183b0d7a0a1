import { useId } from 'react';
import { classNames } from './class-names.ts';
import type { FieldProps } from './field.tsx';
import { FieldBox } from './field-box.tsx';
import native from './native-input.module.css';
import type { Option } from './option-list.tsx';
import styles from './radio-group.module.css';

export interface RadioGroupProps extends FieldProps {
  options: readonly Option[];
  value: string | null;
  onChange: (id: string) => void;
  onFocus?: () => void;
  look?: 'vertical' | 'horizontal' | 'segmented';
}

export function RadioGroup({
  options,
  value,
  onChange,
  onFocus,
  look = 'vertical',
  ...field
}: RadioGroupProps) {
  const name = useId();
  const { isDisabled = false, isReadOnly = false, isRequired = false, error } = field;
  return (
    <FieldBox
      {...field}
      role="radiogroup"
      aria={{
        'aria-orientation': look === 'vertical' ? 'vertical' : 'horizontal',
        'aria-disabled': isDisabled,
        'aria-readonly': isReadOnly,
        'aria-required': isRequired,
        'aria-invalid': Boolean(error),
      }}
      onFocus={onFocus}
    >
      <div className={classNames(styles.options, styles[look])}>
        {options.map(({ id, label }) => (
          <label key={id} className={styles.radio}>
            <input
              type="radio"
              className={native.input}
              disabled={isDisabled}
              name={name}
              value={id}
              checked={id === value}
              onChange={() => !isReadOnly && onChange(id)}
            />
            {look !== 'segmented' && <span className={styles.mark} />}
            <span dir="auto">{label}</span>
          </label>
        ))}
      </div>
    </FieldBox>
  );
}
