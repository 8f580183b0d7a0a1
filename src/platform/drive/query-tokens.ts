import { badRequest } from '../../kit/errors.ts';

export interface Token {
  kind: 'word' | 'sign' | 'text' | 'end';
  /** Of a text: what it says, without quotes. */
  text: string;
  /** Of its first character, counted from 1. */
  position: number;
}

const SPACE = /\s+/y;
const WORD = /[a-z]+/iy;
const SIGN = /<=|>=|!=|[=<>()]/y;
/** Its only escapes are those of the quote and of the backslash. */
const TEXT = /'((?:[^'\\]|\\['\\])*)'/y;

/** The last one is an `end`. Throws an `HttpError` with status 400 at the first character that begins nothing. */
export function tokensOf(term: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(term);
  };
  while (at < term.length) {
    const space = match(SPACE);
    const word = match(WORD);
    const text = match(TEXT);
    const sign = match(SIGN);
    const found = space ?? word ?? text ?? sign;
    if (found === null) throw notUnderstood(term, at);
    const position = at + 1;
    if (word) tokens.push({ kind: 'word', text: word[0], position });
    if (sign) tokens.push({ kind: 'sign', text: sign[0], position });
    if (text) tokens.push({ kind: 'text', text: checked(unescaped(text[1] ?? ''), position), position });
    at += found[0].length;
  }
  return [...tokens, { kind: 'end', text: '', position: term.length + 1 }];
}

/** As a text of the query language. */
export const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const unescaped = (text: string): string => text.replaceAll(/\\(['\\])/g, '$1');

function checked(text: string, position: number): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw wrongAt(position, 'expected text, but there are characters that no text has');
}

const wrongAt = (position: number, what: string) =>
  badRequest(`The query is wrong at character ${position}: ${what}`, { code: 'invalid_query' });

function notUnderstood(term: string, at: number) {
  const character = String.fromCodePoint(term.codePointAt(at) ?? 0);
  return character === "'"
    ? wrongAt(at + 1, "expected a text that ends with a quote, in which a quote is \\' and a backslash \\\\")
    : wrongAt(at + 1, `expected a word, a text in single quotes or an operator, but there is ${character}`);
}
