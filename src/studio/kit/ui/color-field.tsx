import { Group, Input, TextField } from 'react-aria-components';
import { classNames } from './class-names.ts';
import styles from './color-field.module.css';
import { ColorSwatches, type Swatch } from './color-swatches.tsx';
import { ariaFieldOf, boxClass, FieldFrame, type FieldProps } from './field.tsx';

export interface ColorFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onEnter?: () => void;
  swatches?: readonly Swatch[];
  placeholder?: string | undefined;
  pickLabel: string;
}

/** Ready colours, a text for any other, and the picker of the device. */
export function ColorField({
  value,
  onChange,
  onFocus,
  onEnter,
  swatches = [],
  placeholder,
  pickLabel,
  ...field
}: ColorFieldProps) {
  const isLocked = Boolean(field.isDisabled || field.isReadOnly);
  return (
    <TextField
      {...ariaFieldOf(field)}
      value={value}
      onChange={onChange}
      {...(onFocus && { onFocus })}
      {...(onEnter && {
        onKeyDown: (event) => (event.key === 'Enter' ? onEnter() : event.continuePropagation()),
      })}
    >
      <FieldFrame {...field}>
        {swatches.length > 0 && (
          <ColorSwatches
            label={field.label}
            swatches={swatches}
            chosen={value === '' ? [] : [value]}
            onToggle={onChange}
            isDisabled={isLocked}
          />
        )}
        <Group className={classNames(boxClass, styles.box)} isDisabled={field.isDisabled ?? false}>
          <ColorPick value={value} onChange={onChange} label={pickLabel} isDisabled={isLocked} />
          <Input className={styles.input ?? ''} {...(placeholder !== undefined && { placeholder })} />
        </Group>
      </FieldFrame>
    </TextField>
  );
}

interface ColorPickProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  isDisabled?: boolean;
}

/** The device's own picker behind a swatch. */
const ColorPick = ({ value, onChange, label, isDisabled = false }: ColorPickProps) => (
  <input
    type="color"
    className={styles.pick}
    aria-label={label}
    title={label}
    value={sixDigits(value) ?? '#808080'}
    data-empty={sixDigits(value) === undefined || undefined}
    disabled={isDisabled}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** `#abc` → `#aabbcc`; undefined for what is no hex colour. */
function sixDigits(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`.toLowerCase();
}
