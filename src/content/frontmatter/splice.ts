/** One replacement in a text: the characters from `start` up to `end` give way to `text`. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Splices as they follow each other in the text; insertions at one offset keep their order. */
export const inOrder = (splices: readonly Splice[]): Splice[] =>
  splices.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** Applies splices that do not overlap; insertions at one offset keep their order. Undefined if two overlap. */
export function applySplices(source: string, splices: readonly Splice[]): string | undefined {
  let result = '';
  let position = 0;
  for (const { start, end, text } of inOrder(splices)) {
    if (start < position) return undefined;
    result += source.slice(position, start) + text;
    position = end;
  }
  return result + source.slice(position);
}
