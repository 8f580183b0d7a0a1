import type { DayRange } from './calendar/index.ts';

export type Path = readonly (string | number)[];

/** A date in an entity's file, as written and as days. */
export interface Mark {
  path: Path;
  value: unknown;
  days: DayRange;
}

/**
 * The relation in story time that a reference expresses. `present`: takes part. `place`: where it happens. `origin`: was
 * there when this began. `mention`: is named. `parent`: this is a part or child of it. `owner`, `inventory`: who has
 * what. `earlier`, `later`: happened before or after this. `sequence`: one of a list in the order of time.
 */
export type LinkRole =
  | 'present'
  | 'place'
  | 'origin'
  | 'mention'
  | 'parent'
  | 'owner'
  | 'inventory'
  | 'earlier'
  | 'later'
  | 'sequence';

export interface Link {
  role: LinkRole;
  path: Path;
  /** Null where any type may be meant. */
  type: string | null;
  id: string;
}

/** A dated entry inside an entity, such as a line of a timeline. */
export interface Moment {
  mark: Mark;
  links: readonly Link[];
  timeOfDay: string | null;
}

/** Begins or ends: by birth and death, or as things do. */
export interface Bound extends Mark {
  isLife: boolean;
}

/** A value in place of a date that the calendar cannot read. */
export interface UnreadableDate {
  path: Path;
  value: unknown;
  reason: string;
}

/** An entity as far as story time is concerned. */
export interface CanonEntity {
  type: string;
  id: string;
  name: string;
  start: Bound | null;
  end: Bound | null;
  /** When it happened: all of them name one time. */
  dates: readonly Mark[];
  /** Single times within its span, such as a coronation. */
  milestones: readonly Mark[];
  timeOfDay: string | null;
  links: readonly Link[];
  moments: readonly Moment[];
  /** `one`: has one owner at a time. `many`: there is more than one of it. Null: nothing is said. */
  copies: 'one' | 'many' | null;
  unreadable: readonly UnreadableDate[];
}

export const keyOf = ({ type, id }: { type: string; id: string }): string => `${type}/${id}`;
