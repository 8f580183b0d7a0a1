import type { ReactNode } from 'react';
import { ButtonContext, FieldError, Label, Text } from 'react-aria-components';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

/** The parts that every field has around its control. */
export interface FieldProps {
  label: string;
  isLabelHidden?: boolean | undefined;
  help?: ReactNode;
  /** The problem in words; it never keeps the user from going on. */
  error?: ReactNode;
  /** At the end of the line of the label: who else is here, a menu. */
  more?: ReactNode;
  isDisabled?: boolean | undefined;
  isReadOnly?: boolean | undefined;
  isRequired?: boolean | undefined;
}

/** Within a field of React Aria, which ties label, help and error to the control. */
export const FieldFrame = ({ children, ...field }: FieldProps & { children: ReactNode }) => (
  <>
    <FieldLabel {...field} />
    {children}
    <FieldNotes {...field} />
  </>
);

const FieldLabel = ({ label, isLabelHidden = false, isRequired = false, more }: FieldProps) => (
  <div className={classNames(styles.labelRow, isLabelHidden && styles.hidden)}>
    <Label className={styles.label ?? ''}>
      <span dir="auto">{label}</span>
      {isRequired && (
        <span aria-hidden="true" className={styles.required}>
          *
        </span>
      )}
    </Label>
    {more && <FieldMore>{more}</FieldMore>}
  </div>
);

/** Its buttons are their own, not the ones by which a select or a combo box opens. */
const FieldMore = ({ children }: { children: ReactNode }) => (
  <ButtonContext.Provider value={null}>
    <div className={styles.more}>{children}</div>
  </ButtonContext.Provider>
);

const FieldNotes = ({ help, error }: FieldProps) => (
  <>
    {help && (
      <Text slot="description" className={styles.help ?? ''}>
        {help}
      </Text>
    )}
    <FieldError className={styles.error ?? ''}>{error}</FieldError>
  </>
);

/** The props that every field of React Aria takes from ours. */
export const ariaFieldOf = (field: FieldProps) => ({
  className: styles.field ?? '',
  isDisabled: field.isDisabled ?? false,
  isReadOnly: field.isReadOnly ?? false,
  isRequired: field.isRequired ?? false,
  isInvalid: hasError(field),
  validationBehavior: 'aria' as const,
});

const hasError = ({ error }: FieldProps): boolean => Boolean(error);

/** The box that looks like an input. */
export const boxClass = styles.box ?? '';
export const labelClass = styles.label ?? '';
export const helpClass = styles.help ?? '';
export const errorClass = styles.error ?? '';
