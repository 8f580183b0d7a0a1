/** The characters from `start` up to `end` are replaced by `text`. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Insertions at one offset keep their order. */
export const inOrder = (splices: readonly Splice[]): Splice[] =>
  splices.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** Insertions at one offset keep their order. Undefined if two splices overlap. */
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
