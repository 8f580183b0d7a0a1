import { isEmptyField, isScalar, numberOfValue } from './field-value.ts';
import type { FormField } from './form-field.ts';

/** A problem that the schema shows before the server does. */
export type FieldProblem =
  | { kind: 'required' }
  | { kind: 'no-number' }
  | { kind: 'no-integer' }
  | { kind: 'too-small'; limit: number }
  | { kind: 'too-large'; limit: number }
  | { kind: 'too-many'; limit: number }
  | { kind: 'no-option' };

/** It warns; the server decides what it takes. */
export function problemOf(field: FormField, value: unknown): FieldProblem | null {
  if (isEmptyField(field, value)) return field.isRequired ? { kind: 'required' } : null;
  if (Array.isArray(value)) return problemOfList(field, value);
  if (field.types.every((type) => type === 'number')) return problemOfNumber(field, value);
  return isScalar(value) ? problemOfOption(field, value) : null;
}

function problemOfNumber(field: FormField, value: unknown): FieldProblem | null {
  const number = numberOfValue(value);
  if (!Number.isFinite(number)) return { kind: 'no-number' };
  if (field.isInteger && !Number.isInteger(number)) return { kind: 'no-integer' };
  if (field.min !== null && number < field.min) return { kind: 'too-small', limit: field.min };
  if (field.max !== null && number > field.max) return { kind: 'too-large', limit: field.max };
  return problemOfOption(field, number);
}

function problemOfOption({ hasOnlyOptions, options }: FormField, value: unknown): FieldProblem | null {
  return hasOnlyOptions && !options.some((option) => option.value === value) ? { kind: 'no-option' } : null;
}

function problemOfList({ maxSelections }: FormField, list: readonly unknown[]): FieldProblem | null {
  return maxSelections !== null && list.length > maxSelections
    ? { kind: 'too-many', limit: maxSelections }
    : null;
}
