import { isMap } from '../../../text/json.ts';
import { REAL_CALENDAR } from './real-calendar.ts';
import type { Calendar, Era, LeapRule, Month } from './types.ts';
import { plainWord } from './vocabulary.ts';

/** `path` leads to the part that cannot be used. */
export interface CalendarProblem {
  path: readonly (string | number)[];
  message: string;
}

interface Reading {
  problems: CalendarProblem[];
}

const MOST = { eras: 50, months: 100, weekDays: 50 };
const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

/**
 * From `{name, eras, months, leap, week_days}`; what is missing is as in the real calendar. An unusable part is reported
 * and counts as missing.
 */
export function declaredCalendar(value: unknown): { calendar: Calendar; problems: CalendarProblem[] } {
  const reading: Reading = { problems: [] };
  if (value === undefined || value === null) return { calendar: REAL_CALENDAR, problems: [] };
  if (!isMap(value)) {
    const message = 'the calendar must be a map with eras, months, leap and week_days; the real one is used';
    return { calendar: REAL_CALENDAR, problems: [{ path: [], message }] };
  }
  const months = readList(reading, value, 'months', MOST.months, readMonth);
  const weekDays = readList(reading, value, 'week_days', MOST.weekDays, readWord);
  const calendar: Calendar = {
    name: typeof value.name === 'string' && value.name !== '' ? value.name : REAL_CALENDAR.name,
    eras: readList(reading, value, 'eras', MOST.eras, readEra) ?? REAL_CALENDAR.eras,
    months: months ?? REAL_CALENDAR.months,
    leap: months === null && value.leap === undefined ? REAL_CALENDAR.leap : null,
    weekDays: weekDays?.map(({ word }) => word) ?? REAL_CALENDAR.weekDays,
  };
  const leap = readLeap(reading, value.leap, calendar.months);
  return { calendar: leap === null ? calendar : { ...calendar, leap }, problems: reading.problems };
}

/** Null if there is none, or if one entry makes it unusable. */
function readList<Entry>(
  { problems }: Reading,
  map: Record<string, unknown>,
  key: string,
  most: number,
  read: (entry: unknown, index: number) => Entry | string,
): Entry[] | null {
  const list = map[key];
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list) || list.length === 0 || list.length > most) {
    problems.push({ path: [key], message: `${key} must be a list of 1 to ${most} entries` });
    return null;
  }
  const entries: Entry[] = [];
  for (const [index, given] of list.entries()) {
    const entry = read(given, index);
    if (typeof entry === 'string') problems.push({ path: [key, index], message: entry });
    else entries.push(entry);
  }
  return entries.length === list.length ? entries : null;
}

function readWord(entry: unknown): string | { word: string } {
  return typeof entry === 'string' && plainWord(entry) !== ''
    ? { word: plainWord(entry) }
    : 'a day of the week is a name';
}

function wordsOf({ name, abbreviation, abbreviations }: Record<string, unknown>): string[] {
  const more = Array.isArray(abbreviations) ? abbreviations : [abbreviations];
  const given = [name, abbreviation, ...more].filter((word) => typeof word === 'string');
  return [...new Set(given.map(plainWord).filter((word) => word !== ''))];
}

function readMonth(entry: unknown, index: number): Month | string {
  const map = isMap(entry) ? entry : { days: entry };
  if (!isCount(map.days, 10_000)) return `month ${index + 1} must say how many days it has`;
  const name = typeof map.name === 'string' ? map.name : `month ${index + 1}`;
  return { name, words: wordsOf({ ...map, name }), days: map.days };
}

function readEra(entry: unknown): Era | string {
  if (!isMap(entry) || typeof entry.name !== 'string' || plainWord(entry.name) === '') {
    return 'an era must have a name';
  }
  const { name, starts = 1, counts = 'forwards' } = entry;
  if (!Number.isInteger(starts)) return `the era ${name} must start in a whole year (starts)`;
  if (counts !== 'forwards' && counts !== 'backwards') {
    return `the era ${name} counts either forwards or backwards`;
  }
  return { name, words: wordsOf(entry), starts: Number(starts), backwards: counts === 'backwards' };
}

function readLeap({ problems }: Reading, value: unknown, months: readonly Month[]): LeapRule | null {
  if (value === undefined || value === null || value === false || value === 'none') return null;
  const rule = isMap(value) ? value : {};
  const { every, except = null, unless = null, month = months.length, days = 1 } = rule;
  const index = typeof month === 'string' ? monthNamed(months, month) : Number(month) - 1;
  const isNth = (nth: unknown): nth is number | null => nth === null || isCount(nth, 1e6);
  if (isCount(every, 1e6) && isNth(except) && isNth(unless) && isCount(days, 1000) && months[index]) {
    return { every, except, unless, month: index, days };
  }
  const message = 'leap must be `none` or say every (years), and may say except, unless, month and days';
  problems.push({ path: ['leap'], message });
  return null;
}

const monthNamed = (months: readonly Month[], name: string): number =>
  months.findIndex(({ words }) => words.includes(plainWord(name)));
