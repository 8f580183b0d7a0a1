import { hunksOf } from '../merge/index.ts';

/** A block of neighbouring lines that a new text of a body replaces. */
export interface BodyHunk {
  /** The same for the same two texts. */
  id: string;
  /** The first line of `before`, counted from 1 in the old text. */
  line: number;
  /** With their line breaks; empty if lines are only added. */
  before: string;
  /** With their line breaks; empty if lines are only removed. */
  after: string;
}

/** Lines with their breaks, so that joining them gives the text again. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** In the order of the text. Taking all of them gives `after`, taking none `before`, byte for byte. */
export function bodyHunks(before: string, after: string): BodyHunk[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  return hunksOf(old, next).map(({ baseStart, baseEnd, sideStart, sideEnd }, index) => ({
    id: `h${index + 1}`,
    line: baseStart + 1,
    before: old.slice(baseStart, baseEnd).join(''),
    after: next.slice(sideStart, sideEnd).join(''),
  }));
}

/** The old text with the chosen of its hunks, in any order. A RangeError if one is of another text. */
export function applyHunks(before: string, chosen: readonly BodyHunk[]): string {
  const old = linesOf(before);
  const parts: string[] = [];
  let at = 0;
  for (const hunk of chosen.toSorted((a, b) => a.line - b.line)) {
    const start = hunk.line - 1;
    const end = start + linesOf(hunk.before).length;
    if (start < at || old.slice(start, end).join('') !== hunk.before)
      throw new RangeError(`hunk ${hunk.id} is of another text: line ${hunk.line} is not what it replaces`);
    parts.push(...old.slice(at, start), hunk.after);
    at = end;
  }
  return [...parts, ...old.slice(at)].join('');
}

/** `text` with the line breaks that `model` has, so that an answer with other breaks changes only what it says. */
export function withLineBreaksOf(model: string, text: string): string {
  const isCrLf = /^[^\n]*\r\n/.test(model);
  return text.replaceAll(/\r?\n/g, isCrLf ? '\r\n' : '\n');
}
