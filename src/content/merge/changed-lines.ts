import { hunksOf } from './hunks.ts';
import { linesOf } from './lines.ts';

/** The longer side of each changed place counts. */
export const countChangedLines = (before: string, after: string): number =>
  hunksOf(linesOf(before).lines, linesOf(after).lines)
    .map(({ baseStart, baseEnd, sideStart, sideEnd }) => Math.max(baseEnd - baseStart, sideEnd - sideStart))
    .reduce((sum, lines) => sum + lines, 0);
