/** The words of an entry on a day: before anything was written, and after. */
export interface Day {
  /** `type/id` */
  entity: string;
  /** `2026-11-28`, where the writer is. */
  day: string;
  start: number;
  words: number;
}

export interface Progress {
  day: string;
  /** Words that were added to one entry, and to all; fewer than 0 where more were taken away. */
  own: number;
  all: number;
}

export function dayOf(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** The last days up to a date, the earliest first. */
export const lastDays = (until: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    dayOf(new Date(until.getFullYear(), until.getMonth(), until.getDate() - count + 1 + at)),
  );

/** A renamed entry may have two records of a day: the first start and the last number count. */
export function joinDays(days: readonly Day[]): Day[] {
  const joined = new Map<string, Day>();
  for (const day of days) {
    const key = `${day.day} ${day.entity}`;
    joined.set(key, { ...day, start: joined.get(key)?.start ?? day.start });
  }
  return [...joined.values()];
}

export const progressOf = (days: readonly Day[], entity: string, shown: readonly string[]): Progress[] =>
  shown.map((day) => {
    const ofDay = days.filter((one) => one.day === day);
    const added = (some: readonly Day[]) => some.reduce((sum, { start, words }) => sum + words - start, 0);
    return { day, own: added(ofDay.filter((one) => one.entity === entity)), all: added(ofDay) };
  });

interface Now {
  entity: string;
  today: string;
  words: number;
  /** When the entry was last saved; null if it never was. */
  savedAt: string | null;
}

/** The number of words when the day began, as far as that is known. */
export function startOf(days: readonly Day[], { entity, today, words, savedAt }: Now): number {
  const own = days.filter((one) => one.entity === entity && one.day <= today);
  const last = own.toSorted((one, other) => (one.day < other.day ? -1 : 1)).at(-1);
  if (last?.day === today) return last.start;
  const wasSavedToday = savedAt !== null && dayOf(new Date(savedAt)) === today;
  return wasSavedToday && last !== undefined ? last.words : words;
}

/** With what an entry has now in place of what was stored. */
export const withNow = (days: readonly Day[], now: Day): Day[] => [
  ...days.filter(({ entity, day }) => entity !== now.entity || day !== now.day),
  now,
];
