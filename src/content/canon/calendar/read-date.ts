import { isMap } from '../../../text/json.ts';
import { isPlaceholder } from '../../template/index.ts';
import { readMoment } from './read-moment.ts';
import type { Calendar, DateReading, DayRange } from './types.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';

export type DateReader = (value: unknown) => DateReading;

const LONGEST = 100;
const NOTHING: DateReading = { kind: 'none' };
const SAYS_NOTHING = /^(?:|unknown|none|n\/a|tbd|tba|never|undated|null|\?+|-+|–|—)$/;
const OPEN_START = /^(?:until|till|up to|to|by|…|\.\.|–|—)\s*(.+)$/;
const OPEN_END = /^(?:since|from|starting|beginning)\s+(?!of )(.+)$|^(.+?)\s*(?:–|—|…|\.\.| -|\sonwards?|-)$/;
const AFTER = /^after\s+(.+)$/;
const BEFORE = /^before\s+(.+)$/;
const BETWEEN = /^between (.+) and (.+)$/;
const FROM_TO = /^from (.+?) (?:to|until|till|through) (.+)$/;
const SEPARATORS = [/ (?:to|until|till|through) /, /\s*(?:…|\.\.\.?)\s*/, /\s*[–—]\s*/, / - /];
const TWO_YEARS = /^(\d{3,9})[-/](\d{3,9})$/;
const TWO_DAYS = /^(\S+-\S+)\/(\S+-\S+)$/;
const ABOUT = /^(?:circa|about|around|approx(?:imately)?|roughly|ca?\.?|~)\s*(?=\S)(?![a-z]{2})(.+)$/;
/** How far an approximate date may be off: a tenth of a century for years, a year for less. */
const SLACK_YEARS = { year: 10, less: 1 };

/** Reads years, months, days, ranges and open ends, as writers write them. */
export function dateReader(calendar: Calendar): DateReader {
  const vocabulary = vocabularyOf(calendar);
  return (value) => readValue(vocabulary, value);
}

const unreadable = (reason: string): DateReading => ({ kind: 'unreadable', reason });

function readValue(vocabulary: Vocabulary, value: unknown): DateReading {
  if (value === null || value === undefined || value === false) return NOTHING;
  if (typeof value === 'number') {
    return Number.isInteger(value) ? readMoment(vocabulary, String(value)) : unreadable('a year is whole');
  }
  if (typeof value === 'string') return readText(vocabulary, value);
  if (isMap(value)) return readParts(vocabulary, value);
  return Array.isArray(value) && value.length === 0 ? NOTHING : unreadable('it is no date');
}

/** `{year, month, day}`, or the two ends of a range. */
function readParts(vocabulary: Vocabulary, map: Record<string, unknown>): DateReading {
  const { year, month, day, era } = map;
  if (year !== undefined) {
    const isNamed = typeof month === 'string' && !/^\d+$/.test(month);
    const padded = typeof year === 'number' && year >= 0 ? String(year).padStart(4, '0') : year;
    const words = isNamed ? [day, month, padded, era] : [[padded, month, day].filter(isGiven).join('-'), era];
    return readText(vocabulary, words.filter(isGiven).join(' '));
  }
  const [start, end] = [map.start ?? map.from, map.end ?? map.to ?? map.until];
  if (start === undefined && end === undefined) return NOTHING;
  return joined(readValue(vocabulary, start), readValue(vocabulary, end));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function readText(vocabulary: Vocabulary, given: string): DateReading {
  if (isPlaceholder(given)) return NOTHING;
  const text = given
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\p{L})\.(?!\.)/gu, '');
  if (SAYS_NOTHING.test(text) || /^0+(?:[-/.]0+)*$/.test(text)) return NOTHING;
  if (text.length > LONGEST) return unreadable('it is too long for a date');
  return readOneSided(vocabulary, text) ?? readRange(vocabulary, text) ?? readAbout(vocabulary, text);
}

function readOneSided(vocabulary: Vocabulary, text: string): DateReading | undefined {
  const read = (part: string | undefined) => readAbout(vocabulary, part ?? '');
  const both = FROM_TO.exec(text);
  if (both) return joined(read(both[1]), read(both[2]));
  const after = AFTER.exec(text)?.[1];
  if (after !== undefined) return mapped(read(after), ({ last }) => ({ first: last + 1, last: Infinity }));
  const before = BEFORE.exec(text)?.[1];
  if (before !== undefined && !vocabulary.splitEra(text).era) {
    return mapped(read(before), ({ first }) => ({ first: -Infinity, last: first - 1 }));
  }
  const until = OPEN_START.exec(text)?.[1];
  if (until !== undefined) return mapped(read(until), ({ last }) => ({ first: -Infinity, last }));
  const since = OPEN_END.exec(text);
  if (since) return mapped(read(since[1] ?? since[2]), ({ first }) => ({ first, last: Infinity }));
  return undefined;
}

function readRange(vocabulary: Vocabulary, text: string): DateReading | undefined {
  const between = BETWEEN.exec(text) ?? TWO_YEARS.exec(text) ?? TWO_DAYS.exec(text);
  if (between) return readEnds(vocabulary, between[1] ?? '', between[2] ?? '');
  for (const separator of SEPARATORS) {
    const [left = '', right, ...more] = text.split(separator);
    if (right === undefined || more.length > 0) continue;
    return readEnds(vocabulary, left, right);
  }
  return undefined;
}

/** The first end takes missing parts from the second: era, month, year. */
function readEnds(vocabulary: Vocabulary, left: string, right: string): DateReading {
  const { era } = vocabulary.splitEra(right);
  const end = readAbout(vocabulary, completedEnd(left, right));
  const start = completedStart(vocabulary, left, right);
  return joined(
    vocabulary.splitEra(start).era ? readAbout(vocabulary, start) : readMoment(vocabulary, start, era),
    end,
  );
}

/** `1914–18` is 1914 to 1918. */
function completedEnd(left: string, right: string): string {
  if (!/^\d{3,}$/.test(left) || !/^\d{1,2}$/.test(right)) return right;
  const whole = left.slice(0, left.length - right.length) + right;
  return Number(whole) > Number(left) ? whole : right;
}

/** `3` to `5 Harvest 401`, and `Harvest` to `Frost 401`. */
function completedStart(vocabulary: Vocabulary, left: string, right: string): string {
  const split = vocabulary.splitMonth(right);
  if (split === null) return left;
  if (/^\d{1,2}(?:st|nd|rd|th)?$/.test(left)) return `${left} ${right.slice(split.before.length).trim()}`;
  const isMonthAlone = !/\d/.test(left) && vocabulary.splitMonth(left) !== null;
  return isMonthAlone ? `${left} ${split.after.split(' ').at(-1) ?? ''}` : left;
}

function readAbout(vocabulary: Vocabulary, text: string): DateReading {
  const about = ABOUT.exec(text)?.[1];
  if (about === undefined) return readMoment(vocabulary, text);
  const year = vocabulary.calendar.months.reduce((total, { days }) => total + days, 0);
  return mapped(readMoment(vocabulary, about), ({ first, last }) => {
    const slack = year * (last - first + 1 >= year ? SLACK_YEARS.year : SLACK_YEARS.less);
    return { first: first - slack, last: last + slack };
  });
}

const mapped = (reading: DateReading, change: (days: DayRange) => DayRange): DateReading =>
  reading.kind === 'date' ? { kind: 'date', days: change(reading.days) } : reading;

function joined(start: DateReading, end: DateReading): DateReading {
  if (start.kind === 'unreadable') return start;
  if (end.kind === 'unreadable') return end;
  if (start.kind === 'none' && end.kind === 'none') return NOTHING;
  const first = start.kind === 'date' ? start.days.first : -Infinity;
  const last = end.kind === 'date' ? end.days.last : Infinity;
  return first > last
    ? unreadable('its end lies before its beginning')
    : { kind: 'date', days: { first, last } };
}
