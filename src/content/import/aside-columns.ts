import { cutAfter } from '../../text/cut.ts';
import type { AskedMapping } from './identify.ts';
import type { LossReport, Note, Proposal } from './types.ts';

/** A property that became no field, in all notes that have it. */
export interface AsideColumn {
  from: string;
  /** Types of the notes that have it. */
  types: readonly string[];
  /** The first few different values, cut short. */
  values: readonly string[];
  /** The mapper's proposal, of which it was not sure. */
  guess: Proposal | null;
}

export interface AsideColumns {
  add(entityType: string, note: Note, report: LossReport): void;
  /** Those in most notes first. */
  list(): AsideColumn[];
}

/** Collected beyond the columns that anybody looks at, but not without a limit. */
const MOST_COLUMNS = 1_000;
const MOST_VALUES = 3;
const LONGEST_VALUE = 80;

interface Collected {
  types: Set<string>;
  values: Set<string>;
  guess: Proposal | null;
  notes: number;
}

const shown = (value: unknown): string =>
  cutAfter(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE);

/** Collects what the mapper leaves aside. What the caller has decided is not collected. */
export function createAsideColumns(mapping: AskedMapping): AsideColumns {
  const columns = new Map<string, Collected>();

  const columnOf = (from: string): Collected | undefined => {
    const known = columns.get(from);
    if (known !== undefined || columns.size === MOST_COLUMNS) return known;
    const column = { types: new Set<string>(), values: new Set<string>(), guess: null, notes: 0 };
    columns.set(from, column);
    return column;
  };

  return {
    add(entityType, { properties }, { kept_aside: aside }) {
      for (const { from, proposed } of aside) {
        const column = mapping.has(from) ? undefined : columnOf(from);
        if (column === undefined) continue;
        column.notes += 1;
        column.types.add(entityType);
        column.guess ??= proposed ?? null;
        const value = properties[from];
        if (column.values.size < MOST_VALUES && value !== null && value !== '')
          column.values.add(shown(value));
      }
    },
    list: () =>
      [...columns]
        .sort(([, one], [, other]) => other.notes - one.notes)
        .map(([from, { types, values, guess }]) => ({
          from,
          types: [...types].sort(),
          values: [...values],
          guess,
        })),
  };
}
