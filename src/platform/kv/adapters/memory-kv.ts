import { type KeyValue, KeyValueUnavailable } from '../kv.ts';

export interface MemoryKeyValueOptions {
  /** Beyond this the oldest are removed, expired or not. */
  maxEntries?: number;
  /** milliseconds */
  now?: () => number;
}

export function createMemoryKeyValue({
  maxEntries = 100_000,
  now = Date.now,
}: MemoryKeyValueOptions = {}): KeyValue {
  const values = createExpiringMap<string>(maxEntries, now);
  const counters = createExpiringMap<number>(maxEntries, now);
  const groups = new Map<string, Map<string, Expiring<string>>>();
  let closed = false;

  const whileOpen = async <T>(work: () => T): Promise<T> => {
    if (closed) throw new KeyValueUnavailable('the key-value store is closed');
    return work();
  };

  function removeMember(group: string, key: string): void {
    const entries = groups.get(group);
    entries?.delete(key);
    if (entries?.size === 0) groups.delete(group);
  }

  return {
    get: (key) => whileOpen(() => values.get(key)?.value),
    set: (key, value, { ttlMs }) => whileOpen(() => values.set(key, { value, expiresAtMs: now() + ttlMs })),
    take: (key) =>
      whileOpen(() => {
        const value = values.get(key)?.value;
        values.delete(key);
        return value;
      }),
    increment: (key, { ttlMs }) =>
      whileOpen(() => {
        const window = counters.get(key);
        if (window !== undefined) {
          window.value += 1;
          return { count: window.value, resetAtMs: window.expiresAtMs };
        }
        const resetAtMs = now() + ttlMs;
        counters.set(key, { value: 1, expiresAtMs: resetAtMs });
        return { count: 1, resetAtMs };
      }),
    join: (group, key, value, { ttlMs }) =>
      whileOpen(() => {
        const entries = groups.get(group) ?? new Map();
        groups.set(group, entries.set(key, { value, expiresAtMs: now() + ttlMs }));
      }),
    leave: (group, key) => whileOpen(() => removeMember(group, key)),
    members: (group) =>
      whileOpen(() => {
        const entries = groups.get(group) ?? new Map<string, Expiring<string>>();
        for (const [key, { expiresAtMs }] of entries) if (expiresAtMs <= now()) removeMember(group, key);
        return [...entries.values()].map(({ value }) => value);
      }),
    ping: () => whileOpen(() => undefined),
    close: async () => {
      closed = true;
    },
  };
}

interface Expiring<T> {
  value: T;
  expiresAtMs: number;
}

function createExpiringMap<T>(maxEntries: number, now: () => number) {
  const entries = new Map<string, Expiring<T>>();

  /** Removes expired entries from the oldest up to the first live one, then as many as are over the limit. */
  const evict = () => {
    for (const [key, entry] of entries) {
      if (entry.expiresAtMs > now() && entries.size <= maxEntries) return;
      entries.delete(key);
    }
  };

  return {
    get: (key: string): Expiring<T> | undefined => {
      const entry = entries.get(key);
      if (entry === undefined || entry.expiresAtMs > now()) return entry;
      entries.delete(key);
      return undefined;
    },
    set: (key: string, entry: Expiring<T>): void => {
      entries.delete(key);
      entries.set(key, entry);
      evict();
    },
    delete: (key: string): void => {
      entries.delete(key);
    },
  };
}
