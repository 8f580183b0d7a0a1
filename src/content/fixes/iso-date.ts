import { REAL_CALENDAR } from '../canon/calendar/index.ts';

/** Null if the text is no date, or is ISO 8601 already. */
export type DateReading = { iso: string } | { reason: string } | null;

const MONTHS: ReadonlyMap<string, number> = new Map(
  REAL_CALENDAR.months.flatMap(({ words }, index) => words.map((word) => [word, index + 1] as const)),
);

const LONGEST = 40;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const WORD = String.raw`(?<month>[a-z]+)\.?`;
const YEAR = String.raw`(?<year>\d{4})`;
/** With the month as a word or the year first, nothing is ambiguous. */
const CLEAR: readonly RegExp[] = [
  new RegExp(`^${DAY}[ -](?:of )?${WORD},?[ -]${YEAR}$`),
  new RegExp(`^${WORD} ${DAY},? ${YEAR}$`),
  new RegExp(`^${YEAR}[ -]${WORD}[ -]${DAY}$`),
  /^(?<year>\d{4})(?<between>[/.-])(?<month>\d{1,2})\k<between>(?<day>\d{1,2})$/,
];
const NUMBERS = /^(?<first>\d{1,2})(?<between>[/.-])(?<second>\d{1,2})\k<between>(?<year>\d{4})$/;
const ISO = /^\d{4}-\d{2}-\d{2}$/;

/** An ambiguous date is reported, never guessed. */
export function readDate(text: string): DateReading {
  const written = text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  if (written.length > LONGEST || ISO.test(written)) return null;
  for (const pattern of CLEAR) {
    const { day, month = '', year } = pattern.exec(written)?.groups ?? {};
    const number = MONTHS.get(month) ?? Number(month);
    if (day !== undefined && !Number.isNaN(number)) return dateOf(Number(year), number, Number(day));
  }
  const { first, second, year } = NUMBERS.exec(written)?.groups ?? {};
  return year === undefined ? null : fromNumbers(Number(first), Number(second), Number(year));
}

function fromNumbers(first: number, second: number, year: number): DateReading {
  if (first > 12) return dateOf(year, second, first);
  if (second > 12 || first === second) return dateOf(year, first, second);
  return { reason: 'it is not clear which number is the day and which the month: write YYYY-MM-DD' };
}

function dateOf(year: number, month: number, day: number): DateReading {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isThere =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const padded = (number: number, length: number) => String(number).padStart(length, '0');
  return isThere
    ? { iso: `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}` }
    : { reason: 'there is no such day' };
}
