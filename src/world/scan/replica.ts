import type { FileStat } from '../../platform/files/files.ts';
import { NUMBERS_PER_ROW, ROW, type RowsPage } from './protocol.ts';

export interface Comparison {
  known: boolean;
  same: boolean;
  flags: number;
}

const UNKNOWN: Comparison = { known: false, same: false, flags: 0 };

/** The scanner's copy of the file index: stats in flat arrays, to need little memory. Each walk has a number that marks the files it saw. */
export function createReplica() {
  const slots = new Map<string, number>();
  const free: number[] = [];
  let numbers = new Float64Array(NUMBERS_PER_ROW * 1024);
  let flags = new Uint8Array(1024);
  let seen = new Uint32Array(1024);
  let used = 0;

  function grow(): void {
    const larger = new Float64Array(numbers.length * 2);
    larger.set(numbers);
    numbers = larger;
    const moreFlags = new Uint8Array(flags.length * 2);
    moreFlags.set(flags);
    flags = moreFlags;
    const moreSeen = new Uint32Array(seen.length * 2);
    moreSeen.set(seen);
    seen = moreSeen;
  }

  function newSlot(): number {
    const reused = free.pop();
    if (reused !== undefined) return reused;
    if (used === flags.length) grow();
    used += 1;
    return used - 1;
  }

  function put(path: string, page: RowsPage, row: number): void {
    const bits = page.flags[row] ?? 0;
    const present = slots.get(path);
    if (bits & ROW.deleted) {
      if (present === undefined) return;
      slots.delete(path);
      free.push(present);
      return;
    }
    const slot = present ?? newSlot();
    slots.set(path, slot);
    numbers.set(
      page.numbers.subarray(row * NUMBERS_PER_ROW, (row + 1) * NUMBERS_PER_ROW),
      slot * NUMBERS_PER_ROW,
    );
    flags[slot] = bits;
    seen[slot] = 0;
  }

  return {
    size: () => slots.size,
    apply(page: RowsPage): void {
      page.paths.forEach((path, row) => {
        put(path, page, row);
      });
    },
    compare(stat: FileStat, walk: number): Comparison {
      const slot = slots.get(stat.path);
      if (slot === undefined) return UNKNOWN;
      seen[slot] = walk;
      const at = slot * NUMBERS_PER_ROW;
      const same =
        numbers[at] === stat.size &&
        numbers[at + 1] === stat.mtimeMs &&
        numbers[at + 2] === stat.ctimeMs &&
        numbers[at + 3] === stat.ino;
      return { known: true, same, flags: flags[slot] ?? 0 };
    },
    flagsOf(path: string): number {
      const slot = slots.get(path);
      return slot === undefined ? 0 : (flags[slot] ?? 0);
    },
    *unseen(walk: number): Generator<string> {
      for (const [path, slot] of slots) {
        if (seen[slot] !== walk) yield path;
      }
    },
  };
}

export type Replica = ReturnType<typeof createReplica>;
