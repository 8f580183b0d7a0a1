/** Not a link, its target, a footnote, the box of a task or a reference to an entity. */
const PLACEHOLDER = /(?<![[\]\\!])\[(?!\^|[ xX]\])([^[\]]{2,})\](?![[(:\]])/g;
const CODE_SPAN = /(?<!`)(`+)[^`\n]+\1(?!`)/g;
const CODE_FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** Where a bracketed instruction stands in a text: from `start` up to `end`. */
export interface Bracket {
  start: number;
  end: number;
  /** With its brackets. */
  text: string;
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** Tells for each line whether it belongs to fenced code, fences included. */
export function codeMarked(lines: readonly string[]): { line: string; isCode: boolean }[] {
  let fence: string | undefined;
  return lines.map((line) => {
    const mark = CODE_FENCE.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    return { line, isCode };
  });
}

/** Code blanked out, everything else in its place. */
const withoutCode = (markdown: string): string =>
  codeMarked(markdown.split('\n'))
    .map(({ line, isCode }) => (isCode ? blank(line) : line))
    .join('\n')
    .replaceAll(CODE_SPAN, blank);

/** Bracketed instructions of a body in order, code left out. */
export const bracketsIn = (markdown: string): Bracket[] =>
  [...withoutCode(markdown).matchAll(PLACEHOLDER)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text: markdown.slice(index, index + text.length),
  }));
