import {
  type Calendar,
  type DateReading,
  type DayRange,
  dateReader,
  daysOfMonth,
  daysOfYears,
  type Era,
} from '../../content/canon/calendar/index.ts';
import { type CalendarDay, dayOfNumber, steppedDay, type Unit, yearInEra } from './calendar-day.ts';

export interface CalendarTexts {
  day: (date: string, number: number, calendar: string) => string;
  range: (first: string, last: string) => string;
  since: (first: string) => string;
  until: (last: string) => string;
  unreadable: (reason: string) => string;
}

/** The dates of a world, as a form asks for them. */
export interface Dates {
  /** The meaning of a value in words; null if it is no date, or says as much itself. */
  meaningOf(value: unknown, texts: CalendarTexts): string | null;
  /** The text of a later or earlier date; undefined if it cannot be said in the same style. */
  stepped(text: string, step: { unit: Unit; by: number }): string | undefined;
}

export const datesOf = (calendar: Calendar): Dates => ({
  meaningOf(value, texts) {
    const reading = dateReader(calendar)(value);
    if (reading.kind === 'none') return null;
    if (reading.kind === 'unreadable') return texts.unreadable(reading.reason);
    const understood = understoodText(calendar, reading.days, texts);
    return understood === String(value) ? null : understood;
  },
  stepped: (text, step) => steppedText(calendar, text, step),
});

/** The meaning of a date in full: `12 Thaw 401, day 147,203 of the Count`. */
export function understoodText(calendar: Calendar, { first, last }: DayRange, texts: CalendarTexts): string {
  if (first === -Infinity) return texts.until(dayText(calendar, last));
  if (last === Infinity) return texts.since(dayText(calendar, first));
  if (first === last) return texts.day(dayText(calendar, first), first, calendar.name);
  return wholeText(calendar, { first, last }) ?? texts.range(...endsOf(calendar, { first, last }));
}

/** Of a whole month or a whole year. */
function wholeText(calendar: Calendar, range: DayRange): string | undefined {
  const { year, month } = dayOfNumber(calendar, range.first);
  if (isSame(range, daysOfYears(calendar, year, year))) return yearText(calendar, year);
  if (isSame(range, daysOfMonth(calendar, year, month)))
    return `${calendar.months[month]?.name ?? ''} ${yearText(calendar, year)}`;
  return undefined;
}

function endsOf(calendar: Calendar, { first, last }: DayRange): [string, string] {
  const [from, to] = [dayOfNumber(calendar, first).year, dayOfNumber(calendar, last).year];
  return isSame({ first, last }, daysOfYears(calendar, from, to))
    ? [yearText(calendar, from), yearText(calendar, to)]
    : [dayText(calendar, first), dayText(calendar, last)];
}

const isSame = (one: DayRange, other: DayRange): boolean =>
  one.first === other.first && one.last === other.last;

function dayText(calendar: Calendar, number: number): string {
  const { year, month, day } = dayOfNumber(calendar, number);
  return `${day} ${calendar.months[month]?.name ?? ''} ${yearText(calendar, year)}`;
}

/** The era is named unless it is the usual one. */
function yearText({ eras }: Calendar, year: number): string {
  const usual = eras.find(({ backwards }) => !backwards);
  const number = yearInEra(year, usual);
  if (number !== undefined) return String(number);
  const era = eras.find(({ backwards }) => backwards);
  return era === undefined ? String(year) : `${yearInEra(year, era) ?? year} ${era.name}`;
}

const YEAR = /^[+-]?\d{1,9}$/;
const YEAR_FIRST = /^(\d{3,9})-(\d{1,2})(?:-(\d{1,2}))?$/;

interface DateStyle {
  unit: Unit;
  write: (day: CalendarDay, year: number) => string;
  era: Era | undefined;
}

/**
 * The text of a later or earlier date in the same style; undefined if the text is no plain day, month or year. A unit
 * that it does not state is the smallest that it does.
 */
export function steppedText(
  calendar: Calendar,
  text: string,
  step: { unit: Unit; by: number },
): string | undefined {
  const reading: DateReading = dateReader(calendar)(text);
  const style = styleOf(calendar, text.trim());
  if (reading.kind !== 'date' || style === undefined || !Number.isFinite(reading.days.first))
    return undefined;
  const from = dayOfNumber(calendar, reading.days.first);
  const to = steppedDay(calendar, from, larger(step.unit, style.unit), step.by);
  const year = yearInEra(to.year, style.era);
  return year === undefined ? undefined : style.write(to, year);
}

const UNITS: readonly Unit[] = ['day', 'month', 'year'];

const larger = (one: Unit, other: Unit): Unit => (UNITS.indexOf(one) > UNITS.indexOf(other) ? one : other);

function styleOf(calendar: Calendar, text: string): DateStyle | undefined {
  const usual = calendar.eras.find(({ backwards }) => !backwards);
  if (YEAR.test(text)) return { unit: 'year', era: usual, write: (_, year) => String(year) };
  const isoDay = YEAR_FIRST.exec(text);
  if (isoDay) return isoStyle(isoDay[3] !== undefined, usual);
  return namedStyle(calendar, text, usual);
}

const isoStyle = (hasDay: boolean, era: Era | undefined): DateStyle => ({
  unit: hasDay ? 'day' : 'month',
  era,
  write: ({ month, day }, year) =>
    [String(year).padStart(4, '0'), padded(month + 1), ...(hasDay ? [padded(day)] : [])].join('-'),
});

const padded = (number: number): string => String(number).padStart(2, '0');

const NAMED = /^(?:(?:(\d{1,3}) )?(\p{L}.*?) )?(\d{1,9})(?: (\D.*))?$/u;

/** `12 Thaw 401`, `Thaw 401`, and with the word of an era after them. */
function namedStyle(calendar: Calendar, text: string, usual: Era | undefined): DateStyle | undefined {
  const parts = NAMED.exec(text.replaceAll(/\s+/g, ' '));
  if (!parts) return undefined;
  const [, day, month, , eraWord] = parts;
  const era =
    eraWord === undefined ? usual : calendar.eras.find(({ words }) => words.includes(plain(eraWord)));
  const isKnown = month === undefined || calendar.months.some(({ words }) => words.includes(plain(month)));
  if (!isKnown || (eraWord !== undefined && era === undefined)) return undefined;
  const unit = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  const write = (to: CalendarDay, year: number) =>
    [
      day === undefined ? '' : to.day,
      month === undefined ? '' : (calendar.months[to.month]?.name ?? ''),
      year,
      eraWord ?? '',
    ]
      .filter((word) => word !== '')
      .join(' ');
  return { unit, era, write };
}

const plain = (word: string): string => word.trim().toLowerCase().replaceAll('.', '');
