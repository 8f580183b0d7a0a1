import { isMap } from '../../text/json.ts';
import { keysOf } from './field-path.ts';
import { type FormField, spelledOut } from './form-field.ts';

const SEPARATOR = ' › ';
const INDEX = /^\d+$/;

/** The labels along a dotted path, from the outermost field; places in lists have none. */
export function labelOfPath(fields: readonly FormField[], path: string): string {
  const labels: string[] = [];
  let inside = fields;
  for (const key of keysOf(path)) {
    if (INDEX.test(key)) continue;
    const field = inside.find(({ name }) => name === key);
    labels.push(field?.label ?? spelledOut(key));
    inside = field?.fields ?? [];
  }
  return labels.join(SEPARATOR);
}

export function fieldAt(fields: readonly FormField[], path: string): FormField | undefined {
  let found: FormField | undefined;
  for (const key of keysOf(path)) {
    if (INDEX.test(key)) continue;
    found = (found?.fields ?? fields).find(({ name }) => name === key);
    if (!found) return undefined;
  }
  return found;
}

/** A value in words, with the labels of its field's options; empty for none. */
export function wordsOfValue(value: unknown, field?: FormField): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value
      .map((entry) => wordsOfValue(entry, field))
      .filter(Boolean)
      .join(', ');
  if (isMap(value)) return textOfMap(value, field);
  return field?.options.find((option) => option.value === value)?.label ?? String(value);
}

const textOfMap = (map: Record<string, unknown>, field: FormField | undefined): string =>
  Object.entries(map)
    .map(([key, entry]) => {
      const inner = field?.fields.find(({ name }) => name === key);
      return [inner?.label ?? spelledOut(key), wordsOfValue(entry, inner)] as const;
    })
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join('; ');
