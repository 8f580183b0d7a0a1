/** The contrast of text by WCAG 2: best, enough, enough for large text, or too little. */
export type Grade = 'AAA' | 'AA' | 'large' | 'none';

function channel(hex: string, at: number): number {
  const value = Number.parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** From 0 to 1. Of a colour that lets others through, as if it did not. */
const luminance = (hex: string): number =>
  0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 1) + 0.0722 * channel(hex, 2);

/** From 1 to 21, of two colours as `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const LEAST: readonly (readonly [Grade, number])[] = [
  ['AAA', 7],
  ['AA', 4.5],
  ['large', 3],
];

export const gradeOf = (ratio: number): Grade => LEAST.find(([, least]) => ratio >= least)?.[0] ?? 'none';
