import { isMap } from '../../text/json.ts';

/** The first key that all items have identifies them. */
const ITEM_KEYS = ['id', 'entity_id', 'asset_id', 'key', 'name', 'title'];

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** As JSON texts; undefined if nothing tells the items apart. */
export function keyOfItems(items: readonly unknown[]): ((item: unknown) => string) | undefined {
  if (items.every(isScalar)) return (item) => JSON.stringify(item);
  const key = ITEM_KEYS.find((name) => items.every((item) => isMap(item) && isName(item[name])));
  return key === undefined ? undefined : (item) => JSON.stringify(isMap(item) ? item[key] : null);
}

const isName = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

/** Local's order, with each key that remote added behind its predecessor there. Undefined if a side reordered keys. */
export function mergeKeys(
  base: readonly string[],
  local: readonly string[],
  remote: readonly string[],
): string[] | undefined {
  if (!keepsOrder(base, local) || !keepsOrder(base, remote)) return undefined;
  const order = [...new Set([...local, ...base])];
  const known = new Set(order);
  let before: string | undefined;
  for (const key of remote) {
    const isNew = !known.has(key);
    if (isNew) order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
    if (isNew || local.includes(key)) before = key;
  }
  return order;
}

function keepsOrder(base: readonly string[], side: readonly string[]): boolean {
  const kept = new Set(side);
  const known = new Set(base);
  const [before, after] = [base.filter((key) => kept.has(key)), side.filter((key) => known.has(key))];
  return before.every((key, index) => key === after[index]);
}
