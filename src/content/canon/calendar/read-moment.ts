import { daysOfMonth, daysOfYears, LAST_YEAR, monthLength, yearOfEra, yearOfNumber } from './days.ts';
import type { Calendar, DateReading, DayRange, Era } from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

const YEAR_FIRST =
  /^(?!\d+\.\d+$)([+-]?\d{1,9})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[t ]\d{1,2}:\d{2}[\d:.z+-]*)?$/;
const YEAR = /^[+-]?\d{1,9}$/;
const DECADE = /^(\d{1,8})0s$/;
const CENTURY = /^(\d{1,4})(?:st|nd|rd|th)? century$/;
const PART = /^(early|mid|late|start|beginning|end|spring|summer|autumn|fall|winter)[ -](?:of )?(.+)$/;
const ORDINAL = /(\d)(?:st|nd|rd|th|\.)(?=\s|$)/g;

const unreadable = (reason: string): DateReading => ({ kind: 'unreadable', reason });
const dated = (days: DayRange): DateReading => ({ kind: 'date', days });
const NOTHING: DateReading = { kind: 'none' };

/** Without an era, the calendar's first. */
interface Year {
  calendar: Calendar;
  number: number;
  era: Era | null;
}

const countedYear = ({ calendar, number, era }: Year): number =>
  era === null ? yearOfNumber(calendar, number) : yearOfEra(era, number);

/** A day, a month, a year, a decade or a century. `givenEra` applies if the text names none. */
export function readMoment(vocabulary: Vocabulary, text: string, givenEra: Era | null = null): DateReading {
  const { era: ownEra, rest } = vocabulary.splitEra(text);
  const { calendar } = vocabulary;
  const era = ownEra ?? givenEra;
  const part = PART.exec(rest);
  if (part) return readPart(vocabulary, part[1] ?? '', part[2] ?? '', era);
  const clean = vocabulary.withoutFillers(rest.replaceAll(ORDINAL, '$1').replaceAll(',', ' '));
  const yearFirst = YEAR_FIRST.exec(clean);
  if (yearFirst) return readYearFirst(calendar, yearFirst, era);
  if (YEAR.test(clean)) return readYear({ calendar, number: Number(clean), era });
  return readSpan(calendar, rest, era) ?? readNamedMonth(vocabulary, clean, era);
}

function readPart(vocabulary: Vocabulary, word: string, of: string, era: Era | null): DateReading {
  const whole = readMoment(vocabulary, of, era);
  if (word !== 'winter' || whole.kind !== 'date') return whole;
  // A winter may begin in one year and end in the next.
  const year = whole.days.last - whole.days.first + 1;
  return dated({ first: whole.days.first, last: whole.days.last + Math.ceil(year / 4) });
}

function readYear(year: Year): DateReading {
  if (year.number === 0) return year.era === null ? NOTHING : unreadable('there is no year 0 in an era');
  if (Math.abs(year.number) > LAST_YEAR) return unreadable('the year is too far away');
  if (year.era !== null && year.number < 0) return unreadable('a year of an era is not negative');
  const counted = countedYear(year);
  return dated(daysOfYears(year.calendar, counted, counted));
}

function readYearFirst(calendar: Calendar, parts: RegExpExecArray, era: Era | null): DateReading {
  const [, year = '', month = '', day = '0'] = parts;
  if (/^\d{1,2}$/.test(year) && parts[3] !== undefined) {
    return unreadable(
      'it does not say which number is the year; write year-month-day with four digits first',
    );
  }
  const whole = { calendar, number: Number(year), era };
  if (Number(month) === 0) return readYear(whole);
  return readDay(whole, Number(month) - 1, Number(day));
}

/** A day, or with day 0 its month. */
function readDay(year: Year, month: number, day: number): DateReading {
  const { calendar } = year;
  const checked = readYear(year);
  if (checked.kind === 'none') return unreadable('the year is missing');
  if (checked.kind !== 'date') return checked;
  const counted = countedYear(year);
  const named = calendar.months[month];
  if (named === undefined) return unreadable(`the year has ${calendar.months.length} months`);
  const length = monthLength(calendar, counted, month);
  if (day > length) return unreadable(`${named.name} has ${length} days`);
  return dated(daysOfMonth(calendar, counted, month, day === 0 ? undefined : day));
}

function readSpan(calendar: Calendar, text: string, era: Era | null): DateReading | undefined {
  const plain = text.replace(/^the /, '');
  const decade = DECADE.exec(plain)?.[1];
  if (decade !== undefined) return readYears(calendar, Number(decade) * 10, Number(decade) * 10 + 9, era);
  const century = CENTURY.exec(plain)?.[1];
  if (century === undefined) return undefined;
  return readYears(calendar, Number(century) * 100 - 99, Number(century) * 100, era);
}

function readYears(calendar: Calendar, from: number, to: number, era: Era | null): DateReading {
  const ends = [Math.max(from, 1), to].map((number) => countedYear({ calendar, number, era }));
  if (to < 1) return unreadable('there is no such century');
  return dated(daysOfYears(calendar, Math.min(...ends), Math.max(...ends)));
}

function readNamedMonth(vocabulary: Vocabulary, text: string, era: Era | null): DateReading {
  const { calendar } = vocabulary;
  const split = vocabulary.splitMonth(text);
  if (split === null) return unreadable('it names no year, and no month of the calendar');
  const { month, before, after } = split;
  const numbers = [...before.split(' '), ...after.split(' ')].filter((word) => word !== '');
  if (numbers.some((word) => !YEAR.test(word))) return unreadable('beside the month stand more than numbers');
  const [one, two, ...more] = numbers;
  if (one === undefined) return unreadable('it names no year');
  if (more.length > 0) return unreadable('it holds too many numbers');
  const length = calendar.months[month]?.days ?? 0;
  if (two === undefined)
    return readMonthOf(calendar, { month, text: one, era, isFirst: before !== '', length });
  const isYearFirst = before !== '' && one.length > 2 && Number(one) > longestMonth(calendar) && after !== '';
  const [year, day] = isYearFirst ? [one, two] : [two, one];
  if (Number(day) < 1) return unreadable('days count from 1');
  return readDay({ calendar, number: Number(year), era }, month, Number(day));
}

interface MonthAndNumber {
  month: number;
  text: string;
  era: Era | null;
  isFirst: boolean;
  length: number;
}

const longestMonth = ({ months, leap }: Calendar): number =>
  Math.max(...months.map(({ days }) => days)) + (leap?.days ?? 0);

/** The number is a year unless it could be a day. */
function readMonthOf(calendar: Calendar, { month, text, era, isFirst, length }: MonthAndNumber): DateReading {
  const mayBeDay = text.length <= 2 && Number(text) <= length && (era === null || isFirst);
  if (mayBeDay) return unreadable('it may be a day without a year; write the year with four digits');
  return readDay({ calendar, number: Number(text), era }, month, 0);
}
