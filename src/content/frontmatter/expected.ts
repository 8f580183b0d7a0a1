import { isMap, type JsonMap } from '../../text/json.ts';
import { isReservedKey, toJson } from './json.ts';
import { DocumentError, problemAtStart } from './problem.ts';

/** A key both set and unset is unset. */
export interface FieldEdit {
  set?: Record<string, unknown>;
  unset?: readonly string[];
  setIn?: readonly { path: readonly string[]; value: unknown }[];
}

/** Throws DocumentError for values or paths that cannot be written. */
export function expectedData(data: JsonMap, edit: FieldEdit): JsonMap {
  let next: JsonMap = { ...data };
  for (const [key, value] of Object.entries(edit.set ?? {})) {
    if (value !== undefined) next[allowed(key)] = toJson(value);
  }
  const copies = new Set<unknown>();
  for (const { path, value } of edit.setIn ?? []) next = withPath(next, path, toJson(value), copies);
  for (const key of edit.unset ?? []) delete next[key];
  return next;
}

/** Maps and lists of this edit's own: without them, each place of a long list would copy it once more. */
type Copies = Set<unknown>;

function withPath(map: JsonMap, path: readonly string[], value: unknown, copies: Copies): JsonMap {
  const next = setAt(map, path, value, copies);
  return isMap(next) ? next : map;
}

function setAt(parent: unknown, path: readonly string[], value: unknown, copies: Copies): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const key = allowed(step);
  if (Array.isArray(parent)) return setItem(parent, key, rest, value, copies);
  if (parent !== null && parent !== undefined && !isMap(parent)) {
    throw new DocumentError(
      problemAtStart('not_a_map', `"${key}" cannot be set inside a value that is no map`),
    );
  }
  const map = isMap(parent) ? parent : {};
  const own = copies.has(map) ? map : { ...map };
  copies.add(own);
  own[key] = setAt(Object.hasOwn(map, key) ? map[key] : undefined, rest, value, copies);
  return own;
}

function setItem(
  list: readonly unknown[],
  key: string,
  rest: readonly string[],
  value: unknown,
  copies: Copies,
): unknown[] {
  const index = Number(key);
  if (!/^[0-9]+$/.test(key) || index > list.length) {
    throw new DocumentError(
      problemAtStart('not_a_map', `a list of ${list.length} items has no place "${key}"`),
    );
  }
  const own = copies.has(list) ? (list as unknown[]) : [...list];
  copies.add(own);
  own[index] = setAt(list[index], rest, value, copies);
  return own;
}

function allowed(key: string): string {
  if (!isReservedKey(key)) return key;
  throw new DocumentError(problemAtStart('reserved_key', `the key "${key}" is reserved`));
}
