import { cutAfter } from '../../text/cut.ts';
import { isMap } from '../../text/json.ts';
import { admitsOnlyOptions, admitsSeveral, type FieldDefinition, isInteger } from '../template/index.ts';
import type { ValidationCode } from './types.ts';

export type Path = readonly (string | number)[];
/** `field` is null for an entry of a list. */
export interface Expected {
  type: string;
  field: FieldDefinition | null;
}
export type Report = (path: Path, code: ValidationCode, message: string, expected: Expected) => void;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isMap(value)) return 'a mapping';
  return cutAfter(JSON.stringify(value) ?? String(value), 60);
}

function mismatch(expected: string, value: unknown): string {
  const hint = expected === 'text' && typeof value !== 'object' ? ' (put quotes around it)' : '';
  return `must be ${expected}, is ${kindOf(value)}${hint}`;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isMap(value);
  return typeof value === type && (type !== 'number' || Number.isFinite(value));
}

const expectedOf = (field: FieldDefinition): Expected => ({ type: field.type, field });

/** Null is always accepted, but not as an entry of a list. */
export function checkValue(field: FieldDefinition, value: unknown, path: Path, report: Report): void {
  if (value === null) return;
  if (!isOfType(field.type, value)) {
    if (Array.isArray(value) && admitsSeveral(field)) checkItems('string', undefined, value, path, report);
    else report(path, 'wrong_type', mismatch(KINDS[field.type] ?? field.type, value), expectedOf(field));
    return;
  }
  if (Array.isArray(value)) checkItems(field.items ?? 'any', field.properties, value, path, report);
  else if (isMap(value)) checkProperties(field.properties, value, path, report);
  else checkScalar(field, value, path, report);
}

function checkScalar(field: FieldDefinition, value: unknown, path: Path, report: Report): void {
  if (field.type === 'number' && isInteger(field.declared_type) && !Number.isInteger(value)) {
    report(path, 'wrong_type', mismatch('a whole number', value), expectedOf(field));
    return;
  }
  if (!admitsOnlyOptions(field) || value === '') return;
  const values = field.options?.map((option) => option.value) ?? [];
  if (values.some((option) => option === value)) return;
  const message = `must be one of ${values.join(', ')}, is ${kindOf(value)}`;
  report(path, 'not_an_option', message, expectedOf(field));
}

function checkItems(
  items: string,
  properties: readonly FieldDefinition[] | undefined,
  list: readonly unknown[],
  path: Path,
  report: Report,
): void {
  if (items === 'any') return;
  for (const [index, entry] of list.entries()) {
    if (!isOfType(items, entry)) {
      const message = mismatch(KINDS[items] ?? items, entry);
      report([...path, index], 'wrong_type', message, { type: items, field: null });
    } else if (isMap(entry)) {
      checkProperties(properties, entry, [...path, index], report);
    }
  }
}

function checkProperties(
  properties: readonly FieldDefinition[] | undefined,
  value: Record<string, unknown>,
  path: Path,
  report: Report,
): void {
  if (properties === undefined) return;
  for (const property of properties) {
    if (!Object.hasOwn(value, property.name)) continue;
    checkValue(property, value[property.name], [...path, property.name], report);
  }
}
