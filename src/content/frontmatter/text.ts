const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const HASH = 35;

export function isBreak(code: number): boolean {
  return code === LF || code === CR;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The offset of the line break, or the text's length. */
export function lineEnd(text: string, offset: number): number {
  let position = offset;
  while (position < text.length && !isBreak(text.charCodeAt(position))) position++;
  return position;
}

export function lineStart(text: string, offset: number): number {
  let position = offset;
  while (position > 0 && !isBreak(text.charCodeAt(position - 1))) position--;
  return position;
}

/** The offset after the line break, or the text's length. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  if (end >= text.length) return end;
  return text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
}

export function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === LF) end--;
  return text.slice(0, end);
}

export function skipBlanks(text: string, offset: number): number {
  let position = offset;
  while (isBlank(text.charCodeAt(position))) position++;
  return position;
}

/** Past white space, line breaks and comments. */
export function skipTrivia(text: string, offset: number): number {
  let position = offset;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (isBlank(code) || isBreak(code)) position++;
    else if (code === HASH && startsComment(text, position)) position = lineEnd(text, position);
    else break;
  }
  return position;
}

function startsComment(text: string, position: number): boolean {
  if (position === 0) return true;
  const before = text.charCodeAt(position - 1);
  return isBlank(before) || isBreak(before);
}

/** The offset of each line's first character. */
export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let end = lineEnd(text, 0); end < text.length; ) {
    const start = nextLine(text, end);
    starts.push(start);
    end = lineEnd(text, start);
  }
  return starts;
}

/** From 1. */
export function lineAt(lineStarts: readonly number[], offset: number): number {
  let line = 0;
  let after = lineStarts.length;
  while (line < after) {
    const middle = (line + after) >>> 1;
    if ((lineStarts[middle] ?? 0) <= offset) line = middle + 1;
    else after = middle;
  }
  return line;
}

/** From 0. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
