import { deepEqual, isMap, type JsonMap } from '../../text/json.ts';

/** The body of an entity, as a part beside its fields. */
export const BODY = 'markdown_body';

/**
 * Names a part of an entity: `name`, `status`, `primary_asset`, `production_status.general`, `fields.arc.beginning`. A path
 * enters only maps that the template types; a list or any other map is one value. A dot within a key is written `\.`.
 */
export const pathOf = (...keys: readonly string[]): string =>
  keys.map((key) => key.replaceAll(/[\\.]/g, '\\$&')).join('.');

export const keysOf = (path: string): string[] =>
  [...`.${path}`.matchAll(/\.((?:\\.|[^\\.])*)/gs)].map(([, key = '']) => key.replaceAll(/\\(.)/gs, '$1'));

export function valueAt(part: unknown, path: string): unknown {
  let value = part;
  for (const key of keysOf(path)) {
    if (!isMap(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** A copy with the value at the path; what stands in the way and is no map is replaced by one. */
export const withValueAt = (map: JsonMap, path: string, value: unknown): JsonMap =>
  withValue(map, keysOf(path), value);

function withValue(map: JsonMap, [key = '', ...rest]: readonly string[], value: unknown): JsonMap {
  const present = Object.hasOwn(map, key) ? map[key] : undefined;
  const next = rest.length === 0 ? value : withValue(isMap(present) ? present : {}, rest, value);
  return Object.fromEntries([...Object.entries(map).filter(([name]) => name !== key), [key, next]]);
}

/** True for the same path and everything below it. */
export const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`);

export const overlaps = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

/** Null and no value are both "empty". */
export const isSame = (one: unknown, other: unknown): boolean => deepEqual(one ?? null, other ?? null);

/** The states of the work on an entity, which stand beside its fields. */
export const PRODUCTION = 'production_status';

const FIELDS = 'fields.';

/** A form names fields by their path below `fields`; a draft names every part of the entity. */
export const draftPath = (path: string): string => (isWithin(path, PRODUCTION) ? path : `${FIELDS}${path}`);

/** Null for a part that is no field of the form, such as the name. */
export function formPath(path: string): string | null {
  if (isWithin(path, PRODUCTION)) return path;
  return path.startsWith(FIELDS) ? path.slice(FIELDS.length) : null;
}
