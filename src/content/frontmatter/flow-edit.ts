import { type Change, splice } from './change.ts';
import type { Part } from './remove.ts';
import { skipBlanks, skipTrivia } from './text.ts';

/** Behind the last part. */
export function flowInsertion(texts: readonly string[]): string {
  return texts.map((text) => `, ${text}`).join('');
}

/** With their commas; at least one part remains. */
export function removeFlowParts(change: Change, parts: readonly Part[]): void {
  for (let index = 0; index < parts.length; index++) {
    if (!parts[index]?.removed) continue;
    const first = index;
    while (parts[index + 1]?.removed) index++;
    removeRun(change, parts, first, index);
  }
}

function removeRun(change: Change, parts: readonly Part[], first: number, last: number): void {
  const before = parts[first - 1];
  const after = parts[last + 1];
  const run = parts.slice(first, last + 1);
  const start = after || !before ? run[0]?.start : before.end;
  const end = after ? after.start : run.at(-1)?.end;
  if (start === undefined || end === undefined) return;
  if (change.text.slice(start, end).includes('#')) {
    for (const part of run) removeAlone(change, part);
  } else {
    splice(change, start, end, '');
  }
}

/** With the comma behind it; the comments around it stay. */
function removeAlone(change: Change, part: Part): void {
  const comma = skipTrivia(change.text, part.end);
  if (change.text[comma] !== ',') {
    splice(change, part.start, part.end, '');
    return;
  }
  splice(change, part.start, part.end, '');
  splice(change, comma, skipBlanks(change.text, comma + 1), '');
}
