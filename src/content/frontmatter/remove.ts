import { type Change, ownsLine, splice } from './change.ts';
import { columnOf, lineEnd, lineStart, nextLine, skipBlanks } from './text.ts';

export interface Part {
  start: number;
  end: number;
  removed: boolean;
}

export function removeBlockParts(change: Change, parts: readonly Part[]): void {
  const kept = parts.findIndex((part) => !part.removed);
  const first = parts[0];
  const shared = first?.removed === true && kept > 0 && !ownsLine(change.text, first.start);
  if (shared) removeSharedStart(change, parts, kept);
  parts.forEach((part, index) => {
    if (part.removed && !(shared && index < kept)) removeLines(change, part);
  });
}

function removeLines(change: Change, part: Part): void {
  const { text, strategy } = change;
  const own = nextLine(text, part.end);
  splice(
    change,
    lineStart(text, part.start),
    strategy.removeGap ? skipGap(text, own, columnOf(text, part.start)) : own,
    '',
  );
}

/** A block scalar above would otherwise absorb blank lines and deeper comments. */
function skipGap(text: string, offset: number, column: number): number {
  let position = offset;
  while (position < text.length) {
    const content = skipBlanks(text, position);
    const isComment = text[content] === '#' && content - position > column;
    if (content !== lineEnd(text, position) && !isComment) break;
    position = nextLine(text, position);
  }
  return position;
}

/** The first part stands on the line of its list's dash: the first kept part moves up there unless comments lie between. */
function removeSharedStart(change: Change, parts: readonly Part[], kept: number): void {
  const { text } = change;
  const first = parts[0];
  const last = parts[kept - 1];
  const next = parts[kept];
  if (!first || !last || !next) return;
  const gap = text.slice(lineEnd(text, last.end), next.start);
  const end = gap.trim() === '' ? next.start : lineEnd(text, last.end);
  splice(change, first.start, end, '');
}
