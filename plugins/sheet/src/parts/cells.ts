import type { Column } from './columns.ts';

/** `\;` is a semicolon within an entry of a list. */
const escaped = (item: string): string => item.replace(/[\\;]/g, '\\$&');

function splitList(text: string): string[] {
  const items = text.match(/(?:[^;\\]|\\[\s\S]?)+/g) ?? [];
  return items.map((item) => item.trim().replace(/\\([\\;])/g, '$1')).filter((item) => item !== '');
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Null for a value that no cell can hold. */
export function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (isScalar(value)) return String(value);
  if (Array.isArray(value) && value.every(isScalar))
    return value.map((item) => escaped(String(item))).join('; ');
  return null;
}

export type Misfit =
  | 'not_a_number'
  | 'ambiguous_number'
  | 'not_a_whole_number'
  | 'not_yes_or_no'
  | 'not_an_option'
  | 'empty_name';

export type Read = { value: unknown } | { misfit: Misfit };

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'wahr', 'ja', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'falsch', 'nein', '0']);

/** A comma before three digits parts the thousands in some countries, and the decimals in others. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;

/** The value of a cell in a column. Numbers may have a comma, as many countries write them. */
export function readCell(cell: string, { key, kind, isField, isNullable, options }: Column): Read {
  const text = cell.trim();
  if (kind === 'list') return { value: splitList(cell) };
  if (text === '') {
    if (!isField) return { misfit: key === 'name' ? 'empty_name' : 'not_an_option' };
    return { value: kind === 'text' && !isNullable ? '' : null };
  }
  if (options !== null && !options.includes(text)) return { misfit: 'not_an_option' };
  if (kind === 'boolean') {
    const word = text.toLowerCase();
    if (YES.has(word) || NO.has(word)) return { value: YES.has(word) };
    return { misfit: 'not_yes_or_no' };
  }
  if (kind === 'text') return { value: cell };
  if (AMBIGUOUS.test(text)) return { misfit: 'ambiguous_number' };
  const number = Number(/^-?\d+,\d+$/.test(text) ? text.replace(',', '.') : text);
  if (!Number.isFinite(number)) return { misfit: 'not_a_number' };
  if (kind === 'integer' && !Number.isInteger(number)) return { misfit: 'not_a_whole_number' };
  return { value: number };
}

/** Spreadsheet programs write line ends of their own. */
const withPlainLines = (text: string): string => text.replace(/\r\n?/g, '\n');

export const isSameText = (one: string, other: string): boolean =>
  one === other || withPlainLines(one) === withPlainLines(other);

/** Also with a comma, as programs of many countries write the number that they were given. */
export const isSameNumber = (cell: string, value: unknown): boolean =>
  typeof value === 'number' && cell.trim().replace(',', '.') === String(value);

export function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => String(item) === String(other[at]));
  if ((one ?? '') === '' && (other ?? '') === '') return true;
  return one === other;
}

/** With the line ends of Canonry. */
export const plainValue = (value: unknown): unknown =>
  typeof value === 'string' ? withPlainLines(value) : value;
