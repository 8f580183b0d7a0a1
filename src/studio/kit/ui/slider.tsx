import { type CSSProperties, useId } from 'react';
import { type FieldProps, labelClass } from './field.tsx';
import { useFieldNotes } from './field-notes.tsx';
import styles from './slider.module.css';

export interface SliderProps extends FieldProps {
  /** Null while nothing is chosen. */
  value: number | null;
  onChange: (value: number) => void;
  onFocus?: () => void;
  min: number;
  max: number;
  step?: number;
  showsValue?: boolean;
  /** In the place of the value while nothing is chosen. */
  emptyText: string;
}

export function Slider({
  value,
  onChange,
  onFocus,
  min,
  max,
  step = 1,
  showsValue = true,
  emptyText,
  ...field
}: SliderProps) {
  const id = useId();
  const { notes, describedBy } = useFieldNotes(field);
  // The browser puts its handle at the nearest step.
  const nearest = Math.round(((value ?? min) - min) / step) * step;
  const share = Math.min(1, Math.max(0, nearest / (max - min || 1)));
  return (
    <div className={styles.slider}>
      <div className={styles.row}>
        <label className={labelClass} htmlFor={id} dir="auto">
          {field.label}
        </label>
        {field.more}
        {showsValue && (
          <output className={styles.value} htmlFor={id}>
            {value ?? emptyText}
          </output>
        )}
      </div>
      <div className={styles.track} style={{ '--share': share } as CSSProperties}>
        <input
          id={id}
          type="range"
          className={styles.range}
          min={min}
          max={max}
          step={step}
          value={value ?? min}
          disabled={Boolean(field.isDisabled || field.isReadOnly)}
          data-empty={value === null || undefined}
          aria-valuetext={value === null ? emptyText : String(value)}
          aria-invalid={Boolean(field.error)}
          aria-describedby={describedBy}
          onChange={({ target }) => onChange(target.valueAsNumber)}
          onFocus={onFocus}
        />
      </div>
      {describedBy && <div>{notes}</div>}
    </div>
  );
}
