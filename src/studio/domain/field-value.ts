import { isMap } from '../../text/json.ts';
import type { FormField } from './form-field.ts';
import type { ValueType } from './widget-names.ts';

export type Scalar = string | number | boolean;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Nothing was said: no text, no entry, and in an object nothing in any of its keys. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isEmptyValue);
  return isMap(value) && Object.values(value).every(isEmptyValue);
}

/** For the calendar, year 0 says nothing. */
export const isEmptyField = (field: FormField, value: unknown): boolean =>
  isEmptyValue(value) || (field.widget === 'year' && (value === 0 || value === '0'));

/** Of a text, a number or a truth; null of what has no line of text. */
export function textOfValue(value: unknown): string | null {
  if (value === undefined || value === null) return '';
  return isScalar(value) ? String(value) : null;
}

/** NaN if it is no number. */
export function numberOfValue(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/**
 * The value of a typed text for the file: a number again if it was one before or only numbers are admitted, else the
 * text. An empty text is null where no text is admitted.
 */
export function valueOfText(text: string, field: FormField, before: unknown): unknown {
  const wasNumber = typeof before === 'number';
  const isNumeric = field.types.includes('number') && (wasNumber || !field.types.includes('string'));
  if (!isNumeric) return text;
  if (text.trim() === '') return null;
  return String(Number(text)) === text.trim() ? Number(text) : text;
}

/** A single value stands for a list of one; null if it is no list of such entries. */
export function listOfValue(value: unknown): readonly unknown[] | null {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value;
  return isScalar(value) || isMap(value) ? [value] : null;
}

/** As a single value if the file had one and the schema admits it, else as a list. */
export function valueOfList(list: readonly unknown[], types: readonly ValueType[], before: unknown): unknown {
  if (!types.includes('array')) return list[0] ?? (types.includes('string') && before === '' ? '' : null);
  const wasSingle = isScalar(before) && before !== '' && types.includes('string');
  return wasSingle && list.length === 1 ? list[0] : list;
}

/** The value of a field that has been cleared. */
export function clearedValue({ types, isNullable }: FormField): unknown {
  if (types.includes('array')) return [];
  return types.includes('string') && !isNullable ? '' : null;
}
