import { type DocumentProblem, problemAtStart } from './problem.ts';

/** `head + body` is the text, character for character. */
export interface SplitDocument {
  /** Byte order mark, both `---` lines, the YAML, and a blank line after them. */
  head: string;
  body: string;
  yaml: string;
  /** Line of the first YAML line in the file, counted from 1. */
  yamlLine: number;
  newline: '\n' | '\r\n';
  bom: boolean;
  hasFrontmatter: boolean;
}

const BOM = '\uFEFF';
const FENCE = /^---[ \t]*\r?$/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?$/;
const LANGUAGE = /^---[ \t]*[A-Za-z][\w.+-]*[ \t]*\r?$/;

/** A document without proper frontmatter is all body. */
export function splitDocument(text: string): SplitDocument {
  const bom = text.startsWith(BOM);
  const start = bom ? 1 : 0;
  const opening = lineAt(text, start);
  const newline = opening.line.endsWith('\r') ? '\r\n' : '\n';
  const closing = FENCE.test(opening.line) ? findClosing(text, opening.next) : undefined;
  if (closing === undefined) {
    return {
      head: text.slice(0, start),
      body: text.slice(start),
      yaml: '',
      yamlLine: 1,
      newline,
      bom,
      hasFrontmatter: false,
    };
  }
  const headEnd = skipEmptyLine(text, closing.end);
  return {
    head: text.slice(0, headEnd),
    body: text.slice(headEnd),
    yaml: text.slice(opening.next, closing.start),
    yamlLine: 2,
    newline,
    bom,
    hasFrontmatter: true,
  };
}

export function missingFrontmatter(text: string): DocumentProblem {
  const opening = lineAt(text, text.startsWith(BOM) ? 1 : 0).line;
  if (LANGUAGE.test(opening)) {
    return problemAtStart(
      'language_tag',
      'only YAML frontmatter is read; the first line must be exactly ---',
    );
  }
  if (FENCE.test(opening)) {
    return problemAtStart('unclosed', 'the frontmatter has no closing --- line');
  }
  return problemAtStart('no_frontmatter', 'the file has no frontmatter; its first line must be ---');
}

function findClosing(text: string, from: number): { start: number; end: number } | undefined {
  let start = from;
  while (start < text.length) {
    const code = text.charCodeAt(start);
    if (code === 45 || code === 46) {
      const { line, next } = lineAt(text, start);
      if (CLOSING.test(line)) return { start, end: next };
    }
    const feed = text.indexOf('\n', start);
    if (feed < 0) return undefined;
    start = feed + 1;
  }
  return undefined;
}

function skipEmptyLine(text: string, offset: number): number {
  if (text.charCodeAt(offset - 1) !== 10) return offset;
  if (text.startsWith('\n', offset)) return offset + 1;
  return text.startsWith('\r\n', offset) ? offset + 2 : offset;
}

function lineAt(text: string, start: number): { line: string; next: number } {
  const feed = text.indexOf('\n', start);
  const end = feed < 0 ? text.length : feed;
  return { line: text.slice(start, end), next: feed < 0 ? end : end + 1 };
}
