import { isLetter } from './letters.ts';
import { type Paragraph, paragraphsOf } from './paragraphs.ts';
import { closerOf, openerOf, type Style, stylesFor } from './styles.ts';

/** Something that is said: from the letter after its first mark up to the one before its last. */
export interface Span {
  style: Style;
  from: number;
  to: number;
  /** Of its paragraph. */
  begin: number;
  end: number;
}

export type Fault =
  | { kind: 'unclosed' | 'unopened'; at: number; mark: string }
  | { kind: 'mismatched'; at: number; mark: string; opener: string };

export interface Speech {
  spans: Span[];
  faults: Fault[];
}

interface Open {
  style: Style;
  at: number;
}

const SPACE_OR_OPENING = /[\s([{—–\-*_>]/;
const PUNCTUATION = /[.,!?…—–)]/;
const NEAR = 300;

/** Reads what is said in a text, paragraph by paragraph, in one pass. */
export function readSpeech(text: string, chosen: Style | 'auto'): Speech {
  const speech: Speech = { spans: [], faults: [] };
  const paragraphs = paragraphsOf(text, chosen === 'single');
  const styles = stylesFor(chosen);
  paragraphs.forEach((paragraph, index) => {
    readParagraph(
      text,
      { ...paragraph, styles, nextMark: markThatBegins(text, paragraph.next, paragraphs[index + 1]) },
      speech,
    );
  });
  return speech;
}

function markThatBegins(text: string, begin: number, paragraph: Paragraph | undefined): string | undefined {
  const [first] = paragraph?.marks ?? [];
  if (paragraph?.begin !== begin || first === undefined || first - begin > NEAR) return undefined;
  return text.slice(begin, first).trim() === '' ? text[first] : undefined;
}

interface Reading extends Paragraph {
  styles: readonly Style[];
  nextMark: string | undefined;
}

function readParagraph(
  text: string,
  { begin, end, marks, styles, nextMark }: Reading,
  { spans, faults }: Speech,
): void {
  const stack: Open[] = [];

  function close(to: number): void {
    const last = stack.pop();
    if (last && stack.length === 0) spans.push({ style: last.style, from: last.at + 1, to, begin, end });
  }

  function open(style: Style, at: number): void {
    const top = stack.at(-1);
    // The same mark again cannot be within its own quotation.
    if (top?.style === style) {
      faults.push({ kind: 'unclosed', at: top.at, mark: openerOf(style) });
      stack.pop();
    }
    stack.push({ style, at });
  }

  for (const at of marks) {
    const mark = text[at] ?? '';
    const top = stack.at(-1);
    const opener = top && openerOf(top.style);
    const opens = styles.find((style) => openerOf(style) === mark);
    const seemsToClose = at > begin && !SPACE_OR_OPENING.test(text[at - 1] ?? '') && !isLetter(text[at + 1]);
    if (top && mark === closerOf(top.style) && !isApostrophe(text, mark, at, end)) close(at);
    else if (isNoMark(text, at, top)) continue;
    else if (opener !== undefined && opener !== mark && seemsToClose) {
      faults.push({ kind: 'mismatched', at, mark, opener });
      close(at);
    } else if (opens && (top || !seemsToClose || mark === '"')) open(opens, at);
    else faults.push({ kind: 'unopened', at, mark });
  }
  const first = stack[0];
  if (!first) return;
  const mark = openerOf(first.style);
  // A speaker who goes on in the next paragraph closes only the last one.
  if (nextMark !== mark) faults.push({ kind: 'unclosed', at: first.at, mark });
  spans.push({ style: first.style, from: first.at + 1, to: end, begin, end });
}

/** Apostrophes, and inches. */
const isNoMark = (text: string, at: number, top: Open | undefined): boolean =>
  text[at] === '’' || (text[at] === '"' && !top && /\d/.test(text[at - 1] ?? ''));

/** Within a word, or where a better end follows soon: ‘The boys’ house,’ he said. */
function isApostrophe(text: string, mark: string, at: number, end: number): boolean {
  if (mark !== '’') return false;
  if (isLetter(text[at + 1])) return true;
  if (PUNCTUATION.test(text[at - 1] ?? '')) return false;
  const rest = text.slice(at + 1, Math.min(end, at + NEAR)).split('‘')[0] ?? '';
  return /[.,!?…—–]’/.test(rest);
}
