import type { CSSProperties } from 'react';
import styles from './color-swatches.module.css';

export interface Swatch {
  value: string;
  label: string;
  hex: string;
}

export interface ColorSwatchesProps {
  label: string;
  swatches: readonly Swatch[];
  chosen: readonly string[];
  onToggle: (value: string) => void;
  isDisabled?: boolean;
}

export const ColorSwatches = ({
  label,
  swatches,
  chosen,
  onToggle,
  isDisabled = false,
}: ColorSwatchesProps) => (
  <fieldset aria-label={label} className={styles.swatches}>
    {swatches.map(({ value, label: name, hex }) => (
      <button
        key={value}
        type="button"
        className={styles.swatch}
        aria-pressed={chosen.some((other) => other.toLowerCase() === value.toLowerCase())}
        onClick={() => onToggle(value)}
        disabled={isDisabled}
      >
        <span className={styles.color} style={{ '--color': hex } as CSSProperties} />
        <span dir="auto">{name}</span>
      </button>
    ))}
  </fieldset>
);
