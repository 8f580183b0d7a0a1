import type { Calendar, DayRange, Era, LeapRule } from './types.ts';

/** Later years are no story's; days are counted exactly up to here. */
export const LAST_YEAR = 1e9;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const everyNth = (years: number, nth: number | null): number => (nth === null ? 0 : Math.floor(years / nth));

/** Between year 1 and `year`, both included; negative before year 1. */
const leapYearsUpTo = ({ every, except, unless }: LeapRule, year: number): number =>
  everyNth(year, every) - everyNth(year, except) + everyNth(year, unless);

const daysUpToYear = ({ months, leap }: Calendar, year: number): number =>
  year * sum(months.map(({ days }) => days)) + (leap === null ? 0 : leap.days * leapYearsUpTo(leap, year));

/** `month` counts from 0, `year` continuously. */
export function monthLength({ months, leap }: Calendar, year: number, month: number): number {
  const usual = months[month]?.days ?? 0;
  if (leap === null || leap.month !== month) return usual;
  return usual + leap.days * (leapYearsUpTo(leap, year) - leapYearsUpTo(leap, year - 1));
}

export const daysOfYears = (calendar: Calendar, first: number, last: number): DayRange => ({
  first: daysUpToYear(calendar, first - 1) + 1,
  last: daysUpToYear(calendar, last),
});

/** `month` counts from 0; with `day` only that day. */
export function daysOfMonth(calendar: Calendar, year: number, month: number, day?: number): DayRange {
  const lengths = calendar.months.slice(0, month).map((_, index) => monthLength(calendar, year, index));
  const before = daysUpToYear(calendar, year - 1) + sum(lengths);
  return day === undefined
    ? { first: before + 1, last: before + monthLength(calendar, year, month) }
    : { first: before + day, last: before + day };
}

/** The continuous year of an era's `number`, which counts from 1. */
export const yearOfEra = ({ starts, backwards }: Era, number: number): number =>
  backwards ? starts - number : starts + number - 1;

/** A year without an era belongs to the first one; a negative one lies before it, without a year 0. */
export function yearOfNumber({ eras }: Calendar, number: number): number {
  const forwards = eras.find((era) => !era.backwards);
  if (number > 0) return forwards ? yearOfEra(forwards, number) : number;
  const backwards = eras.find((era) => era.backwards);
  return backwards ? yearOfEra(backwards, -number) : (forwards?.starts ?? 1) + number;
}

export const isBefore = (one: DayRange, other: DayRange): boolean => one.last < other.first;
