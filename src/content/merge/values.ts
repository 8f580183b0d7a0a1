import { deepEqual, isMap, type JsonMap } from '../../text/json.ts';
import { keyOfItems, mergeKeys } from './lists.ts';

/** A missing side has no value there. */
export interface MergeConflict {
  /** Dotted; items of a list by id or name. `markdown_body` for the body. */
  field: string;
  base?: unknown;
  local?: unknown;
  remote?: unknown;
  /** First line in local's body, from 1. */
  line?: number;
}

/** Decides an overlap: the value to take, undefined for none. */
export type OnOverlap = (conflict: MergeConflict) => unknown;

/** Undefined where absent. */
export interface Sides<Value = unknown> {
  base: Value;
  local: Value;
  remote: Value;
}

/** Written with every save: the later one wins. */
const STAMP = 'last_updated';

/** Undefined means absent. */
function mergeValue(sides: Sides, path: readonly string[], onOverlap: OnOverlap): unknown {
  const { base, local, remote } = sides;
  if (deepEqual(local, remote) || deepEqual(base, remote)) return local;
  if (deepEqual(base, local)) return remote;
  if (path.length === 1 && path[0] === STAMP && typeof local === 'string' && typeof remote === 'string') {
    return [local, remote].sort().at(-1);
  }
  return mergeInside(sides, path, onOverlap) ?? onOverlap({ field: path.join('.'), ...present(sides) });
}

const present = (sides: Sides): Partial<Sides> =>
  Object.fromEntries(Object.entries(sides).filter(([, value]) => value !== undefined));

/** Undefined for values that cannot be merged in parts. */
function mergeInside(sides: Sides, path: readonly string[], onOverlap: OnOverlap): unknown {
  const { local, remote } = sides;
  const base = sides.base ?? emptyOf(local);
  if (isMap(base) && isMap(local) && isMap(remote))
    return mergeMaps({ base, local, remote }, path, onOverlap);
  if (Array.isArray(base) && Array.isArray(local) && Array.isArray(remote)) {
    return mergeLists({ base, local, remote }, path, onOverlap);
  }
  return undefined;
}

const emptyOf = (value: unknown): unknown => (isMap(value) ? {} : []);

const ownValue = (map: JsonMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Local's keys in order, then those that remote adds. */
export function mergeMaps(
  { base, local, remote }: Sides<JsonMap>,
  path: readonly string[],
  onOverlap: OnOverlap,
): JsonMap {
  const merged: JsonMap = {};
  for (const key of new Set([...Object.keys(local), ...Object.keys(remote), ...Object.keys(base)])) {
    const sides = { base: ownValue(base, key), local: ownValue(local, key), remote: ownValue(remote, key) };
    const value = mergeValue(sides, [...path, key], onOverlap);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** Lists of scalars as ordered sets, lists of maps by key; undefined for others. */
function mergeLists(
  { base, local, remote }: Sides<unknown[]>,
  path: readonly string[],
  onOverlap: OnOverlap,
): unknown[] | undefined {
  const keyOf = keyOfItems([...base, ...local, ...remote]);
  if (keyOf === undefined) return undefined;
  const byKey = (list: unknown[]) => new Map(list.map((item) => [keyOf(item), item]));
  const [before, ours, theirs] = [byKey(base), byKey(local), byKey(remote)];
  if (before.size < base.length || ours.size < local.length || theirs.size < remote.length) return undefined;
  const order = mergeKeys([...before.keys()], [...ours.keys()], [...theirs.keys()]);
  return order?.flatMap((key) => {
    const sides = { base: before.get(key), local: ours.get(key), remote: theirs.get(key) };
    const value = mergeValue(sides, [...path, String(JSON.parse(key))], onOverlap);
    return value === undefined ? [] : [value];
  });
}
