import { useEffect, useRef } from 'react';
import styles from './checkbox.module.css';
import fieldStyles from './field.module.css';
import type { FieldProps } from './field.tsx';
import { useFieldNotes } from './field-notes.tsx';
import { Icon } from './icons.tsx';
import native from './native-input.module.css';

export interface CheckboxProps extends FieldProps {
  isChecked: boolean;
  /** Some of what it stands for. */
  isPartly?: boolean;
  onChange: (isChecked: boolean) => void;
}

export function Checkbox({ isChecked, isPartly = false, onChange, ...field }: CheckboxProps) {
  const { label, isLabelHidden, isDisabled, isReadOnly, isRequired, error } = field;
  const input = useRef<HTMLInputElement>(null);
  const { notes, describedBy } = useFieldNotes(field);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <div className={fieldStyles.field}>
      <label className={styles.button}>
        <input
          ref={input}
          type="checkbox"
          className={native.input}
          checked={isChecked}
          disabled={isDisabled}
          aria-label={isLabelHidden ? label : undefined}
          aria-readonly={isReadOnly}
          aria-required={isRequired}
          aria-invalid={Boolean(error)}
          aria-describedby={describedBy}
          onChange={({ target }) => !isReadOnly && onChange(target.checked)}
        />
        <span className={styles.box}>
          {isPartly ? <Icon name="minus" /> : isChecked && <Icon name="check" />}
        </span>
        {!isLabelHidden && <span dir="auto">{label}</span>}
      </label>
      {notes}
    </div>
  );
}
