import type { Calendar, Era } from './types.ts';

/** Built once for each calendar. */
export interface Vocabulary {
  calendar: Calendar;
  /** At the start or the end of the text. */
  splitEra(text: string): { era: Era | null; rest: string };
  /** At the name of a month; null if there is none. */
  splitMonth(text: string): { month: number; before: string; after: string } | null;
  /** Words that add nothing, such as `the`, `of` and the days of the week. */
  withoutFillers(text: string): string;
}

const FILLERS = ['the', 'of', 'day', 'in', 'on', 'at', 'year', 'anno'];
const NOT_IN_WORD = '(?<![\\p{L}\\p{N}])';
const NOT_BEFORE_WORD = '(?![\\p{L}\\p{N}])';

export const plainWord = (word: string): string =>
  word.trim().toLowerCase().replaceAll('.', '').replaceAll(/\s+/g, ' ');

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The longest first; without words it never matches. */
const oneOf = (words: readonly string[]): string =>
  words.length === 0
    ? '(?!)'
    : [...words]
        .sort((a, b) => b.length - a.length)
        .map(escaped)
        .join('|');

export function vocabularyOf(calendar: Calendar): Vocabulary {
  const { eras, months, weekDays } = calendar;
  const eraWords = oneOf(eras.flatMap(({ words }) => words));
  const eraAtEnd = new RegExp(`^(.*?)(?<!\\p{L})(${eraWords})$`, 'u');
  const eraAtStart = new RegExp(`^(${eraWords})${NOT_BEFORE_WORD}(.*)$`, 'u');
  const month = new RegExp(
    `${NOT_IN_WORD}(${oneOf(months.flatMap(({ words }) => words))})${NOT_BEFORE_WORD}`,
    'u',
  );
  const filler = new RegExp(`${NOT_IN_WORD}(?:${oneOf([...FILLERS, ...weekDays])})${NOT_BEFORE_WORD}`, 'gu');
  const eraOf = (word: string): Era | null => eras.find(({ words }) => words.includes(word)) ?? null;
  return {
    calendar,
    splitEra(text) {
      const atEnd = eraAtEnd.exec(text);
      if (atEnd) return { era: eraOf(atEnd[2] ?? ''), rest: (atEnd[1] ?? '').trim() };
      const atStart = eraAtStart.exec(text);
      if (atStart) return { era: eraOf(atStart[1] ?? ''), rest: (atStart[2] ?? '').trim() };
      return { era: null, rest: text };
    },
    splitMonth(text) {
      const found = month.exec(text);
      if (!found) return null;
      const word = found[1] ?? '';
      return {
        month: months.findIndex(({ words }) => words.includes(word)),
        before: text.slice(0, found.index).trim(),
        after: text.slice(found.index + word.length).trim(),
      };
    },
    withoutFillers: (text) => text.replaceAll(filler, ' ').replaceAll(/\s+/g, ' ').trim(),
  };
}
