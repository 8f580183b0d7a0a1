import type { DayRange } from './calendar/index.ts';

export type Path = readonly (string | number)[];

/** As written and as days. */
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
  /** Null for any type. */
  type: string | null;
  id: string;
}

/** A dated entry inside an entity, such as a line of a timeline. */
export interface Moment {
  mark: Mark;
  links: readonly Link[];
  timeOfDay: string | null;
}

/** By birth and death, or as things begin and end. */
export interface Bound extends Mark {
  isLife: boolean;
}

export interface UnreadableDate {
  path: Path;
  value: unknown;
  reason: string;
}

/** Only what concerns story time. */
export interface CanonEntity {
  type: string;
  id: string;
  name: string;
  start: Bound | null;
  end: Bound | null;
  /** All of them name one time. */
  dates: readonly Mark[];
  /** Single times within its span, such as a coronation. */
  milestones: readonly Mark[];
  timeOfDay: string | null;
  links: readonly Link[];
  moments: readonly Moment[];
  /** `one`: has one owner at a time. `many`: there is more than one of it. Null: not stated. */
  copies: 'one' | 'many' | null;
  unreadable: readonly UnreadableDate[];
}

export const keyOf = ({ type, id }: { type: string; id: string }): string => `${type}/${id}`;
