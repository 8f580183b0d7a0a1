import fieldStyles from './field.module.css';
import type { FieldProps } from './field.tsx';
import { useFieldNotes } from './field-notes.tsx';
import native from './native-input.module.css';
import styles from './switch.module.css';

export interface SwitchProps extends FieldProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  onFocus?: () => void;
}

export function Switch({ isOn, onChange, onFocus, ...field }: SwitchProps) {
  const { notes, describedBy } = useFieldNotes(field);
  return (
    <div className={fieldStyles.field}>
      <div className={styles.row}>
        <label className={styles.button}>
          <input
            type="checkbox"
            role="switch"
            className={native.input}
            checked={isOn}
            disabled={field.isDisabled}
            aria-checked={isOn}
            aria-readonly={field.isReadOnly}
            aria-required={field.isRequired}
            aria-invalid={Boolean(field.error)}
            aria-describedby={describedBy}
            onChange={({ target }) => !field.isReadOnly && onChange(target.checked)}
            onFocus={onFocus}
          />
          <span className={styles.track}>
            <span className={styles.thumb} />
          </span>
          <span dir="auto">{field.label}</span>
        </label>
        {field.more}
      </div>
      {notes}
    </div>
  );
}
