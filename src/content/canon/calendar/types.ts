/** From the first possible day to the last, both included; open ends are infinite. Day 1 is the first of year 1. */
export interface DayRange {
  first: number;
  last: number;
}

export interface Era {
  name: string;
  /** In lower case, without dots. */
  words: readonly string[];
  /** The continuous year in which year 1 of an era begins, or before which year 1 of a backward one lies. */
  starts: number;
  backwards: boolean;
}

export interface Month {
  name: string;
  /** In lower case, without dots. */
  words: readonly string[];
  days: number;
}

/** Every `every` years, except each `except`th, unless each `unless`th, this month has `days` more. */
export interface LeapRule {
  every: number;
  except: number | null;
  unless: number | null;
  month: number;
  days: number;
}

/** All eras share one continuous count of years. Year 0 is the one before year 1, though no era calls it so. */
export interface Calendar {
  name: string;
  eras: readonly Era[];
  months: readonly Month[];
  leap: LeapRule | null;
  weekDays: readonly string[];
}

/** `none`: nothing is stated. `unreadable`: the value is no date of this calendar. */
export type DateReading =
  | { kind: 'none' }
  | { kind: 'date'; days: DayRange }
  | { kind: 'unreadable'; reason: string };
