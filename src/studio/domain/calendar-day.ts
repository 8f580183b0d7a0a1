import {
  type Calendar,
  daysOfMonth,
  daysOfYears,
  type Era,
  monthLength,
} from '../../content/canon/calendar/index.ts';

/** `month` counts from 0, `year` continuously through all eras. */
export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

export type Unit = 'day' | 'month' | 'year';

export function dayOfNumber(calendar: Calendar, number: number): CalendarDay {
  const usual = calendar.months.reduce((total, { days }) => total + days, 0) || 1;
  let year = Math.ceil(number / usual);
  while (daysOfYears(calendar, year, year).first > number) year -= 1;
  while (daysOfYears(calendar, year, year).last < number) year += 1;
  const found = calendar.months.findIndex((_, index) => daysOfMonth(calendar, year, index).last >= number);
  const month = Math.max(0, found);
  return { year, month, day: number - daysOfMonth(calendar, year, month).first + 1 };
}

export const numberOfDay = (calendar: Calendar, { year, month, day }: CalendarDay): number =>
  daysOfMonth(calendar, year, month, day).first;

/** The same day of a later month or year, or its last one if that month is shorter. */
export function steppedDay(calendar: Calendar, from: CalendarDay, unit: Unit, by: number): CalendarDay {
  if (unit === 'day') return dayOfNumber(calendar, numberOfDay(calendar, from) + by);
  const months = calendar.months.length || 1;
  const total =
    unit === 'year' ? (from.year + by) * months + from.month : from.year * months + from.month + by;
  const year = Math.floor(total / months);
  const month = total - year * months;
  return { year, month, day: Math.min(from.day, monthLength(calendar, year, month)) };
}

/** As the era counts it; undefined for a year outside of it. */
export function yearInEra(year: number, era: Era | undefined): number | undefined {
  if (era === undefined) return year;
  const number = era.backwards ? era.starts - year : year - era.starts + 1;
  return number > 0 ? number : undefined;
}
