import { deepEqual, isMap } from '../../text/json.ts';
import { keysOf, pathOf } from './field-path.ts';

export interface FieldDifference {
  /** Dotted path. */
  field: string;
  before: unknown;
  after: unknown;
}

/**
 * Changes of fields, as the service lists them by their top key; what a side does not have is undefined. Of objects
 * those of their fields are told that differ.
 */
export const fieldDifferencesOf = (changes: readonly unknown[]): FieldDifference[] =>
  changes.flatMap((change) =>
    isMap(change) && typeof change.field === 'string'
      ? innerDifferences({ field: pathOf(change.field), before: change.before, after: change.after })
      : [],
  );

function innerDifferences({ field, before, after }: FieldDifference): FieldDifference[] {
  if (!isMap(before) || !isMap(after)) return [{ field, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !deepEqual(before[key], after[key]))
    .flatMap((key) =>
      innerDifferences({
        field: pathOf(...keysOf(field), key),
        before: before[key],
        after: after[key],
      }),
    );
}

/** Both values in words; as a file has them where the words are the same, such as of 164 and `"164"`. */
export function wordsOfChange(
  { before, after }: Pick<FieldDifference, 'before' | 'after'>,
  wordsOf: (value: unknown) => string,
): { before: string; after: string } {
  const words = { before: wordsOf(before), after: wordsOf(after) };
  if (words.before !== words.after) return words;
  return { before: JSON.stringify(before) ?? '', after: JSON.stringify(after) ?? '' };
}
