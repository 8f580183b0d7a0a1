/** `false`: that alone. */
export type QueryValue = 'text' | 'time' | 'flag' | 'false';

export interface QueryField {
  name: string;
  operators: readonly string[];
  value: QueryValue;
}

const EQUAL = ['=', '!='];
const WORDS = ['contains', ...EQUAL];
const TIMES = ['<', '<=', '>', '>=', ...EQUAL];

export const QUERY_FIELDS: readonly QueryField[] = [
  { name: 'name', operators: WORDS, value: 'text' },
  { name: 'fullText', operators: ['contains'], value: 'text' },
  { name: 'mimeType', operators: WORDS, value: 'text' },
  { name: 'modifiedTime', operators: TIMES, value: 'time' },
  { name: 'createdTime', operators: TIMES, value: 'time' },
  { name: 'viewedByMeTime', operators: TIMES, value: 'time' },
  { name: 'starred', operators: EQUAL, value: 'flag' },
  { name: 'sharedWithMe', operators: EQUAL, value: 'flag' },
  // Most queries that are written for the drive say so; other values would find nothing.
  { name: 'trashed', operators: ['='], value: 'false' },
];
