import { language } from './language.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Making a format takes as long as a hundred uses of it, so each is made once for each language. */
function inLanguage<Format>(make: (language: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const tag = language.get();
    const format = made.get(tag) ?? make(tag);
    made.set(tag, format);
    return format;
  };
}

const plurals = inLanguage((tag) => new Intl.PluralRules(tag));
const numbers = inLanguage((tag) => new Intl.NumberFormat(tag));
const days = inLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric' }),
);
const moments = inLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
);
const clocks = inLanguage((tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'short' }));
const spans = inLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));

/** `{one: '1 change', other: '3 changes'}`: the form that a number takes in the current language. */
export const plural = (count: number, forms: { one: string; other: string }): string =>
  plurals().select(count) === 'one' ? forms.one : forms.other;

export const shownNumber = (value: number): string => numbers().format(value);

type Time = string | number;

/** As it is where it is no time, for example in a damaged store. */
function shownTime(format: Intl.DateTimeFormat, time: Time): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? String(time) : format.format(at);
}

export const shownDay = (time: Time): string => shownTime(days(), time);

export const shownMoment = (time: Time): string => shownTime(moments(), time);

export const shownClock = (time: Time): string => shownTime(clocks(), time);

/** `5 minutes ago`, and the day itself where that is a week ago or more. */
export function shownAgo(time: Time, now = Date.now()): string {
  const passed = now - new Date(time).getTime();
  if (!(passed < 7 * DAY)) return shownDay(time);
  const format = spans();
  if (passed < MINUTE) return format.format(0, 'second');
  if (passed < HOUR) return format.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return format.format(-Math.floor(passed / HOUR), 'hour');
  return format.format(-Math.floor(passed / DAY), 'day');
}
