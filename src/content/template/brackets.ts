/** Not a link, its target, a footnote, the box of a task or a reference to an entity. */
const PLACEHOLDER = /(?<![[\]\\!])\[(?!\^|[ xX]\])([^[\]]{2,})\](?![[(:\]])/g;
const CODE_SPAN = /(?<!`)(`+)[^`\n]+\1(?!`)/g;
export const CODE_FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** Where a bracketed instruction stands in a text: from `start` up to `end`. */
export interface Bracket {
  start: number;
  end: number;
  /** With its brackets. */
  text: string;
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ');

/** Code blanked out, everything else in its place. */
function withoutCode(markdown: string): string {
  let fence: string | undefined;
  const lines = markdown.split('\n').map((line) => {
    const mark = CODE_FENCE.exec(line)?.[1];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    return isCode ? blank(line) : line;
  });
  return lines.join('\n').replaceAll(CODE_SPAN, blank);
}

/** Bracketed instructions of a body in order, code left out. */
export const bracketsIn = (markdown: string): Bracket[] =>
  [...withoutCode(markdown).matchAll(PLACEHOLDER)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text: markdown.slice(index, index + text.length),
  }));
