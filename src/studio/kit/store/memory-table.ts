import type { Key, Table } from './tables.ts';

const textOf = (key: Key): string => JSON.stringify(key);

export function createMemoryTable(): Table {
  const rows = new Map<string, { key: Key; value: object }>();
  return {
    get: async <Value>(key: Key) => structuredClone(rows.get(textOf(key))?.value) as Value | undefined,
    async list<Value>(prefix: Key) {
      const found = [...rows.values()].filter(({ key }) =>
        prefix.every((part, index) => key[index] === part),
      );
      const sorted = found.sort((one, other) => compareKeys(one.key, other.key));
      return sorted.map(({ value }) => structuredClone(value) as Value);
    },
    async put(key, value) {
      rows.delete(textOf(key));
      rows.set(textOf(key), { key, value: structuredClone(value) });
      return null;
    },
    async remove(key) {
      rows.delete(textOf(key));
      return null;
    },
    async keepNewest(most) {
      const surplus = Math.max(0, rows.size - most);
      for (const key of [...rows.keys()].slice(0, surplus)) rows.delete(key);
      return null;
    },
  };
}

function compareKeys(one: Key, other: Key): number {
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined || part > against) return 1;
    if (part < against) return -1;
  }
  return one.length - other.length;
}
