import { equalEnd, equalStart, type Hunk, hunksOf } from './hunks.ts';

/** Half-open. */
export type Range = readonly [start: number, end: number];

/** Taken from one side, or changed by both in different ways. */
export type Part =
  | { kind: 'local' | 'remote'; range: Range }
  | { kind: 'overlap'; base: Range; local: Range; remote: Range };

interface SidedHunk extends Hunk {
  side: 'local' | 'remote';
}

/** Overlapping or adjacent. */
interface Group {
  start: number;
  end: number;
  hunks: SidedHunk[];
}

/**
 * A change by one side alone is taken, everything else from local. Different changes overlap if they touch the same base
 * items or insert at one place.
 */
export function mergeSequences(
  base: readonly string[],
  local: readonly string[],
  remote: readonly string[],
): Part[] {
  const parts: Part[] = [];
  let [baseAt, localAt, remoteAt] = [0, 0, 0];
  const takeUnchanged = (until: number) => {
    const count = until - baseAt;
    parts.push({ kind: 'local', range: [localAt, localAt + count] });
    [baseAt, localAt, remoteAt] = [until, localAt + count, remoteAt + count];
  };
  for (const group of groupsOf(hunksOf(base, local), hunksOf(base, remote))) {
    takeUnchanged(group.start);
    const localEnd = localAt + lengthOf(group, 'local');
    const remoteEnd = remoteAt + lengthOf(group, 'remote');
    const ranges = {
      base: [group.start, group.end],
      local: [localAt, localEnd],
      remote: [remoteAt, remoteEnd],
    } as const;
    parts.push(...partsOf(group, ranges, local, remote));
    [baseAt, localAt, remoteAt] = [group.end, localEnd, remoteEnd];
  }
  takeUnchanged(base.length);
  return parts;
}

function groupsOf(local: readonly Hunk[], remote: readonly Hunk[]): Group[] {
  const all: SidedHunk[] = [
    ...local.map((hunk) => ({ ...hunk, side: 'local' as const })),
    ...remote.map((hunk) => ({ ...hunk, side: 'remote' as const })),
  ];
  all.sort((a, b) => a.baseStart - b.baseStart || a.baseEnd - b.baseEnd);
  const groups: Group[] = [];
  for (const hunk of all) {
    const group = groups.at(-1);
    if (group && belongs(group, hunk)) {
      group.hunks.push(hunk);
      group.end = Math.max(group.end, hunk.baseEnd);
    } else groups.push({ start: hunk.baseStart, end: hunk.baseEnd, hunks: [hunk] });
  }
  return groups;
}

/** Neighbours that replace their own items keep their order; beside an insertion it would be a guess. */
function belongs(group: Group, hunk: SidedHunk): boolean {
  if (hunk.baseStart !== group.end) return hunk.baseStart < group.end;
  const isInsertion = (item: Hunk) => item.baseStart === item.baseEnd && item.baseStart === group.end;
  return isInsertion(hunk) || group.hunks.some(isInsertion);
}

function lengthOf(group: Group, side: SidedHunk['side']): number {
  const own = group.hunks.filter((hunk) => hunk.side === side);
  const grown = own.reduce(
    (sum, hunk) => sum + hunk.sideEnd - hunk.sideStart - hunk.baseEnd + hunk.baseStart,
    0,
  );
  return group.end - group.start + grown;
}

type Ranges = Record<'base' | 'local' | 'remote', Range>;

function partsOf(group: Group, ranges: Ranges, local: readonly string[], remote: readonly string[]): Part[] {
  const sides = new Set(group.hunks.map(({ side }) => side));
  if (!sides.has('remote')) return [{ kind: 'local', range: ranges.local }];
  if (!sides.has('local')) return [{ kind: 'remote', range: ranges.remote }];
  return overlapParts(ranges, local.slice(...ranges.local), remote.slice(...ranges.remote));
}

/** Without equal items at the beginning and end of both sides. */
function overlapParts(ranges: Ranges, local: readonly string[], remote: readonly string[]): Part[] {
  const start = equalStart(local, remote);
  const end = equalEnd(local, remote, start);
  const localInner: Range = [ranges.local[0] + start, ranges.local[1] - end];
  const remoteInner: Range = [ranges.remote[0] + start, ranges.remote[1] - end];
  return [
    { kind: 'local', range: [ranges.local[0], localInner[0]] },
    ...innerParts(ranges.base, localInner, remoteInner),
    { kind: 'local', range: [localInner[1], ranges.local[1]] },
  ];
}

function innerParts(base: Range, local: Range, remote: Range): Part[] {
  const isEmpty = ([start, end]: Range) => start === end;
  if (isEmpty(local) && isEmpty(remote)) return [];
  if (isEmpty(base) && isEmpty(local)) return [{ kind: 'remote', range: remote }];
  if (isEmpty(base) && isEmpty(remote)) return [{ kind: 'local', range: local }];
  return [{ kind: 'overlap', base, local, remote }];
}
