import { deepEqual } from '../../text/json.ts';
import { itemsOf, memberOf, type Part } from './json-part.ts';
import type { Report } from './report.ts';
import { firstOf, kindOf } from './texts.ts';

/** Items of one list of the file. Writers who serve several products repeat a list in another spelling. */
export interface Source {
  list: Part;
  items: readonly Part[];
}

export interface Kind<Item> {
  /** As in `the panel`. */
  noun: string;
  most: number;
  /** Null if the item is left out; it has warned then. */
  read(item: Part): Item | null;
  /** No two items share one of them. */
  keysOf(item: NoInfer<Item>): readonly string[];
}

export const byId = ({ id }: { id: string }): string[] => [id];

/** An item that another list has too is silently read once; other repetitions are left out with a warning. */
export function collect<Item>(report: Report, sources: readonly Source[], kind: Kind<Item>): Item[] {
  const found = new Map<string, { item: Item; list: Part }>();
  const listOf = new Map(sources.flatMap(({ list, items }) => items.map((part) => [part, list] as const)));
  for (const part of firstOf(report, [...listOf.keys()], kind.most)) {
    const item = kind.read(part);
    const list = listOf.get(part);
    if (item === null || list === undefined) continue;
    const keys = kind.keysOf(item);
    const taken = keys.find((key) => found.has(key));
    if (taken === undefined) for (const key of keys) found.set(key, { item, list });
    else if (!isRepeated(found.get(taken), { item, list })) {
      report.warn(part, `another ${kind.noun} "${taken}" stands before this one, which is left out`);
    }
  }
  return [...new Set([...found.values()].map(({ item }) => item))];
}

interface Found {
  item: unknown;
  list: Part;
}

const isRepeated = (earlier: Found | undefined, { item, list }: Found): boolean =>
  earlier?.list !== list && deepEqual(earlier?.item, item);

/** The lists of these names in each of the objects; what is no list is left out with a warning. */
export function listsIn(
  report: Report,
  maps: readonly (Part | undefined)[],
  ...names: readonly string[]
): Source[] {
  const parts = maps.flatMap((map) => names.flatMap((name) => memberOf(map, name) ?? []));
  return [...new Set(parts)].flatMap((list) => {
    if (list.type === 'array') return [{ list, items: itemsOf(list) }];
    report.warn(list, `this must be a list, not ${kindOf(list)}; it is left out`);
    return [];
  });
}
