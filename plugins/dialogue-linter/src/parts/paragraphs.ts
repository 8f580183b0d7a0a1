/** A part of a text, with the quotation marks that are in it. */
export interface Paragraph {
  begin: number;
  end: number;
  /** The beginning of the next one. */
  next: number;
  marks: number[];
}

const MARKS = /["“”„«»]/g;
const MARKS_AND_SINGLE = /["“”„«»‘’]/g;
/** A text with more is no prose; what follows is not looked at, since a guest has little time. */
const MOST_MARKS = 20_000;

function marksIn(text: string, pattern: RegExp): number[] {
  const found: number[] = [];
  pattern.lastIndex = 0;
  while (found.length < MOST_MARKS && pattern.test(text)) found.push(pattern.lastIndex - 1);
  return found;
}

/** The next empty line. */
function gapAfter(text: string, from: number): { begin: number; end: number } {
  for (let begin = text.indexOf('\n', from); begin >= 0; ) {
    const next = text.indexOf('\n', begin + 1);
    if (next < 0) break;
    if (next - begin < 100 && text.slice(begin, next).trim() === '') return { begin, end: next + 1 };
    begin = next;
  }
  return { begin: text.length, end: text.length };
}

/** The paragraphs that have quotation marks in them. */
export function paragraphsOf(text: string, withSingle: boolean): Paragraph[] {
  const found: Paragraph[] = [];
  let [begin, gap] = [0, gapAfter(text, 0)];
  for (const mark of marksIn(text, withSingle ? MARKS_AND_SINGLE : MARKS)) {
    while (mark >= gap.end) [begin, gap] = [gap.end, gapAfter(text, gap.end)];
    const last = found.at(-1);
    if (last?.begin === begin) last.marks.push(mark);
    else found.push({ begin, end: gap.begin, next: gap.end, marks: [mark] });
  }
  return found;
}
