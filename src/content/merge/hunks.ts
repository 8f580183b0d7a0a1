import { diffArrays } from 'diff';

/** Half-open ranges of indexes. */
export interface Hunk {
  baseStart: number;
  baseEnd: number;
  sideStart: number;
  sideEnd: number;
}

/** Beyond this the whole side counts as replaced: finding the least difference costs the square of the number. */
const MAX_CHANGES = 500;

/** In order. */
export function hunksOf(base: readonly string[], side: readonly string[]): Hunk[] {
  const start = equalStart(base, side);
  const end = equalEnd(base, side, start);
  const [baseEnd, sideEnd] = [base.length - end, side.length - end];
  const changes = diffArrays(base.slice(start, baseEnd), side.slice(start, sideEnd), {
    maxEditLength: MAX_CHANGES,
  });
  if (changes === undefined) return [{ baseStart: start, baseEnd, sideStart: start, sideEnd }];
  const hunks: Hunk[] = [];
  let [baseAt, sideAt] = [start, start];
  for (const { added, removed, count } of changes) {
    const [baseEnd, sideEnd] = [baseAt + (added ? 0 : count), sideAt + (removed ? 0 : count)];
    if (added || removed) append(hunks, { baseStart: baseAt, baseEnd, sideStart: sideAt, sideEnd });
    [baseAt, sideAt] = [baseEnd, sideEnd];
  }
  return hunks;
}

/** Items removed and the items added in their place form one hunk. */
function append(hunks: Hunk[], hunk: Hunk): void {
  const last = hunks.at(-1);
  if (last?.baseEnd === hunk.baseStart && last.sideEnd === hunk.sideStart) {
    Object.assign(last, { baseEnd: hunk.baseEnd, sideEnd: hunk.sideEnd });
  } else hunks.push(hunk);
}

export function equalStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count++;
  return count;
}

/** Without the first `start` items. */
export function equalEnd(left: readonly string[], right: readonly string[], start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}
