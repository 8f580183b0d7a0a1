/** Longer words are not names, and comparing words takes time in the square of their length. */
const LONGEST = 100;

/** A third of the letters may be wrong, but never more than three: beyond that, words only look alike. */
const mostSlips = (word: string): number => Math.min(3, Math.max(1, Math.floor(word.length / 3)));

/** Letters added, left out, replaced or swapped with their neighbour. */
function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}

const folded = (word: string): string => word.toLowerCase().replaceAll(/[\s-]+/g, '_');

/** Undefined if none is near. Case, and `-` for `_`, do not count as slips. */
export function nearest(
  mistyped: string,
  known: Iterable<string>,
  mostAllowed = Number.POSITIVE_INFINITY,
): string | undefined {
  const word = folded(mistyped);
  if (word === '' || word.length > LONGEST) return undefined;
  const most = Math.min(mostSlips(word), mostAllowed);
  let best: { name: string; slips: number } | undefined;
  for (const name of known) {
    if (name === mistyped || Math.abs(name.length - word.length) > most) continue;
    const slips = slipsBetween(word, folded(name));
    if (slips <= most && slips < (best?.slips ?? Number.POSITIVE_INFINITY)) best = { name, slips };
  }
  return best?.name;
}

/** ` (did you mean 'name'?)`, or '' if no known name is near. */
export function didYouMean(mistyped: string, known: Iterable<string>, mostAllowed?: number): string {
  const name = nearest(mistyped, known, mostAllowed);
  return name === undefined ? '' : ` (did you mean '${name}'?)`;
}
