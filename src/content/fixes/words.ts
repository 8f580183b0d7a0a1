import { idFromName } from '../references/index.ts';

/** Without case and separators: `Very-Rare` and `very_rare` are one. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');

/** For comparing ids and names, also in scripts without the letters of ids. */
export const nameKey = (text: string): string => idFromName(text) || folded(text);

/** By value or label; undefined if none or several fit. */
export function optionMeant<Option extends { value: unknown; label: string }>(
  options: readonly Option[],
  text: string,
): Option | undefined {
  const wanted = folded(text);
  const fitting = options.filter(
    ({ value, label }) => folded(String(value)) === wanted || folded(label) === wanted,
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}
