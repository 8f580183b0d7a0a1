import { useId } from 'react';
import styles from './merge-choice.module.css';
import { TextArea } from './text-area.tsx';

export interface MergeOption {
  id: string;
  label: string;
  /** The value as users read it. */
  value: string;
}

export interface MergeChoiceProps {
  label: string;
  /** The value before both changes, and the word in front of it. */
  base: { label: string; value: string };
  options: readonly MergeOption[];
  /** Null: nothing is chosen yet. */
  chosen: string | null;
  onChoose: (id: string) => void;
  /** The text to edit, while that is what was chosen. */
  own: { label: string; value: string; onChange: (value: string) => void } | null;
}

/** One thing that two people changed: which of it is to stay. */
export function MergeChoice({ label, base, options, chosen, onChoose, own }: MergeChoiceProps) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label} dir="auto">
        {label}
      </legend>
      <p className={styles.base}>
        {base.label} <span dir="auto">{base.value}</span>
      </p>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option.id} className={styles.option}>
            <span className={styles.optionLabel}>
              <input
                type="radio"
                name={name}
                value={option.id}
                checked={chosen === option.id}
                onChange={() => onChoose(option.id)}
              />
              {option.label}
            </span>
            <span className={styles.value} dir="auto">
              {option.value}
            </span>
          </label>
        ))}
      </div>
      {own && <TextArea label={own.label} value={own.value} onChange={own.onChange} rows={3} />}
    </fieldset>
  );
}
