import { language } from './language.ts';

type Unit = 'byte' | 'kilobyte' | 'megabyte' | 'millisecond' | 'second';

const measure = (value: number, unit: Unit): string =>
  new Intl.NumberFormat(language.get(), {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);

/** `1.1 MB`. */
export function shownBytes(bytes: number): string {
  if (bytes < 1000) return measure(bytes, 'byte');
  return bytes < 1_000_000 ? measure(bytes / 1000, 'kilobyte') : measure(bytes / 1_000_000, 'megabyte');
}

/** `1.8 ms`, and seconds from one on. */
export const shownSpan = (ms: number): string =>
  ms < 1000 ? measure(ms, 'millisecond') : measure(ms / 1000, 'second');
