import { bracketsIn, codeMarked } from './brackets.ts';

/** A heading of a template's body, and what it asks of a writer. */
export interface OutlineSection {
  /** Null before the first heading. */
  heading: string | null;
  /** 1 to 6; 0 before the first heading. */
  level: number;
  /** Bracketed instructions in order, with their brackets. */
  placeholders: string[];
  /** Up to the next heading. */
  text: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const CLOSING_MARKS = /[ \t]#+$/;

const placeholdersIn = (text: string): string[] =>
  bracketsIn(text).map((bracket) => bracket.text.replaceAll(/\s*\n\s*/g, ' '));

interface Open {
  heading: string | null;
  level: number;
  lines: string[];
}

const closed = ({ heading, level, lines }: Open): OutlineSection => ({
  heading,
  level,
  placeholders: placeholdersIn(lines.join('\n')),
  text: lines.join('\n').trim(),
});

/** Headings and brackets in fenced code do not count. */
export function outlineOf(markdown: string): OutlineSection[] {
  const sections: OutlineSection[] = [];
  let open: Open = { heading: null, level: 0, lines: [] };
  for (const { line, isCode } of codeMarked(markdown.split(/\r?\n/))) {
    const heading = isCode ? null : HEADING.exec(line);
    if (heading) {
      sections.push(closed(open));
      const [, marks = '', title = ''] = heading;
      const named = title.trimEnd().replace(CLOSING_MARKS, '').trimEnd();
      open = { heading: named, level: marks.length, lines: [] };
      continue;
    }
    open.lines.push(line);
  }
  sections.push(closed(open));
  return sections.filter((section) => section.heading !== null || section.text !== '');
}
