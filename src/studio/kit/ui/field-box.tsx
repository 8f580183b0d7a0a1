import { type AriaAttributes, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { type FieldProps, labelClass } from './field.tsx';
import { useFieldNotes } from './field-notes.tsx';

interface FieldBoxProps extends FieldProps {
  role?: 'radiogroup';
  /** Those that the role has besides. */
  aria?: AriaAttributes;
  onFocus?: (() => void) | undefined;
  children: ReactNode;
}

/** Around several controls that are one field together. */
export function FieldBox({ role, aria, onFocus, children, ...field }: FieldBoxProps) {
  const id = useId();
  const { notes, describedBy } = useFieldNotes(field);
  return (
    <fieldset
      {...aria}
      role={role}
      className={styles.field}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onFocus={onFocus}
    >
      <div className={classNames(styles.labelRow, field.isLabelHidden && styles.hidden)}>
        <span id={id} className={labelClass} dir="auto">
          {field.label}
          {field.isRequired && (
            <span aria-hidden="true" className={styles.required}>
              *
            </span>
          )}
        </span>
        {field.more && <div className={styles.more}>{field.more}</div>}
      </div>
      {children}
      {notes}
    </fieldset>
  );
}
