import { isMap, type JsonMap } from '../../text/json.ts';
import { DocumentError, problemAtStart } from './problem.ts';

/** They would reach an object's prototype; neither read nor written. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Null for text that every database can store. */
export function textFault(text: string): string | null {
  if (text.includes('\0')) return 'a NUL character is no text';
  return text.isWellFormed() ? null : 'half of a surrogate pair is no text';
}

/** As JSON would carry it. Throws DocumentError for a value that JSON cannot carry. */
export function toJson(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (depth > 1000) throw refused('too_deep', 'the value is nested too deeply');
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  if (isMap(value)) return toJsonMap(value, depth);
  throw refused(
    'yaml',
    `a value of the kind ${typeof value} (${String(value)}) cannot be written to frontmatter`,
  );
}

/** Undefined values are left out. */
export function toJsonMap(value: JsonMap, depth = 0): JsonMap {
  const copy: JsonMap = {};
  for (const key of Object.keys(value)) {
    if (isReservedKey(key)) throw refused('reserved_key', `the key "${key}" is reserved`);
    if (value[key] !== undefined) copy[key] = toJson(value[key], depth + 1);
  }
  return copy;
}

function refused(code: 'yaml' | 'too_deep' | 'reserved_key', reason: string): DocumentError {
  return new DocumentError(problemAtStart(code, reason));
}
