import { useRef } from 'react';
import { TextField as AriaTextField, Button, Group, Input } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { ariaFieldOf, boxClass, FieldFrame, type FieldProps } from './field.tsx';
import { Icon } from './icons.tsx';
import styles from './number-field.module.css';

export interface NumberFieldProps extends FieldProps {
  /** A text is what somebody wrote who was not done, or what a file had. */
  value: number | string | null;
  onChange: (value: number | string | null) => void;
  onFocus?: () => void;
  placeholder?: string | undefined;
  step?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  buttons: { more: string; less: string };
}

/** Arrow keys and buttons step. Nothing changes that was not edited: no rounding, and limits hold for steps alone. */
export function NumberField({
  value,
  onChange,
  onFocus,
  placeholder,
  step = 1,
  min,
  max,
  buttons,
  ...field
}: NumberFieldProps) {
  const isEdited = useRef(false);
  const isLocked = Boolean(field.isDisabled || field.isReadOnly);
  const stepBy = (direction: number) => !isLocked && onChange(stepped(value, direction * step, { min, max }));
  const settle = () => {
    if (isEdited.current && typeof value === 'string') onChange(settled(value));
    isEdited.current = false;
  };
  return (
    <AriaTextField
      {...ariaFieldOf(field)}
      value={value === null ? '' : String(value)}
      onChange={(text) => {
        isEdited.current = true;
        onChange(numberOrText(text));
      }}
      inputMode="decimal"
      onBlur={settle}
      onKeyDown={(event) => {
        const direction = STEPS[event.key];
        if (direction === undefined) return event.continuePropagation();
        event.preventDefault();
        stepBy(direction);
      }}
      {...(onFocus && { onFocus })}
    >
      <FieldFrame {...field}>
        <Group className={classNames(boxClass, styles.box)} isDisabled={field.isDisabled ?? false}>
          <Input className={styles.input ?? ''} {...(placeholder !== undefined && { placeholder })} />
          {!isLocked && (
            <div className={styles.steps}>
              <StepButton label={buttons.less} icon="minus" onPress={() => stepBy(-1)} />
              <StepButton label={buttons.more} icon="plus" onPress={() => stepBy(1)} />
            </div>
          )}
        </Group>
      </FieldFrame>
    </AriaTextField>
  );
}

/** Arrow keys do the same, so that Tab passes them. */
const StepButton = ({
  label,
  icon,
  onPress,
}: {
  label: string;
  icon: 'plus' | 'minus';
  onPress: () => void;
}) => (
  <Button
    className={styles.step ?? ''}
    aria-label={label}
    excludeFromTabOrder
    preventFocusOnPress
    onPress={onPress}
  >
    <Icon name={icon} size={14} />
  </Button>
);

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

function numberOrText(text: string): number | string | null {
  if (text.trim() === '') return null;
  return String(Number(text)) === text ? Number(text) : text;
}

/** `1,50` → 1.5. What is no number stays as it is. */
function settled(text: string): number | string {
  const number = Number(text.trim().replace(/^([+-]?\d*),(\d+)$/, '$1.$2'));
  return Number.isFinite(number) ? number : text;
}

interface Limits {
  min: number | undefined;
  max: number | undefined;
}

function stepped(value: number | string | null, by: number, { min = -Infinity, max = Infinity }: Limits) {
  const from = Number(value ?? (min > 0 && min < Infinity ? min : 0));
  if (!Number.isFinite(from)) return value;
  const to = Number((from + by).toPrecision(12));
  return by > 0 ? Math.max(from, Math.min(to, max)) : Math.min(from, Math.max(to, min));
}
