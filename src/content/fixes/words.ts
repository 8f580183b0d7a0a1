import { idFromName } from '../references/index.ts';

/** A word without case and without what stands between its parts: `Very-Rare` and `very_rare` are one. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');

/** The form in which ids and names are compared, also for scripts without the letters of ids. */
export const nameKey = (text: string): string => idFromName(text) || folded(text);

/** The one option that a text means by its value or its label; undefined where none or several fit. */
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
