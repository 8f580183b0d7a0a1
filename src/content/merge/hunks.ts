import { diffArrays } from 'diff';

/** A part of the base that one side replaced; half-open ranges of indexes. */
export interface Hunk {
  baseStart: number;
  baseEnd: number;
  sideStart: number;
  sideEnd: number;
}

/** Sides that differ from the base in more items than this count as replaced: the least difference costs the square of it. */
const MAX_CHANGES = 500;

/** Where a side differs from the base, in order. */
export function hunksOf(base: readonly string[], side: readonly string[]): Hunk[] {
  const start = equalStart(base, side);
  const end = equalEnd(base, side, start);
  const [before, after] = [base.slice(start, base.length - end), side.slice(start, side.length - end)];
  if (before.length + after.length === 0) return [];
  const changes = diffArrays(before, after, { maxEditLength: MAX_CHANGES });
  const hunks: Hunk[] = [];
  let [baseAt, sideAt] = [start, start];
  for (const { added, removed, count } of changes ?? replaced(before, after)) {
    const [baseEnd, sideEnd] = [baseAt + (added ? 0 : count), sideAt + (removed ? 0 : count)];
    if (added || removed) append(hunks, { baseStart: baseAt, baseEnd, sideStart: sideAt, sideEnd });
    [baseAt, sideAt] = [baseEnd, sideEnd];
  }
  return hunks;
}

/** What was removed and what was added in its place is one hunk. */
function append(hunks: Hunk[], hunk: Hunk): void {
  const last = hunks.at(-1);
  if (last?.baseEnd === hunk.baseStart && last.sideEnd === hunk.sideStart) {
    Object.assign(last, { baseEnd: hunk.baseEnd, sideEnd: hunk.sideEnd });
  } else hunks.push(hunk);
}

const replaced = (before: readonly string[], after: readonly string[]) => [
  { removed: true, added: false, count: before.length },
  { removed: false, added: true, count: after.length },
];

export function equalStart(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count] === right[count]) count++;
  return count;
}

/** How many items are equal at the ends, apart from the first `start`. */
export function equalEnd(left: readonly string[], right: readonly string[], start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}
