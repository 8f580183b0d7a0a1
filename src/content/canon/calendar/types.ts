/** Days from the first possible to the last possible, both included; open ends are infinite. Day 1 is the first of year 1. */
export interface DayRange {
  first: number;
  last: number;
}

export interface Era {
  name: string;
  /** Name and abbreviations as they are looked for: lower case, without dots. */
  words: readonly string[];
  /** Year of the continuous count in which year 1 of an era begins, or before which year 1 of a backward one lies. */
  starts: number;
  backwards: boolean;
}

export interface Month {
  name: string;
  /** As they are looked for: lower case, without dots. */
  words: readonly string[];
  days: number;
}

/** Every `every` years, except each `except`th, unless each `unless`th, the month of that index has `days` more. */
export interface LeapRule {
  every: number;
  except: number | null;
  unless: number | null;
  month: number;
  days: number;
}

/**
 * How a world counts its days. Years of all eras lie on one continuous count: year 0 is the one before year 1, though
 * no era calls it so.
 */
export interface Calendar {
  name: string;
  eras: readonly Era[];
  months: readonly Month[];
  leap: LeapRule | null;
  weekDays: readonly string[];
}

/** `none`: nothing is said. `unreadable`: something is, and it is no date of this calendar. */
export type DateReading =
  | { kind: 'none' }
  | { kind: 'date'; days: DayRange }
  | { kind: 'unreadable'; reason: string };
