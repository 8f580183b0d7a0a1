export interface LastUsedOptions<Value> {
  most: number;
  /** All may by default. */
  mayGo?: (value: Value) => boolean;
}

/** A cache of values that can be made again, least recently used first out. */
export function createLastUsed<Value>({ most, mayGo = () => true }: LastUsedOptions<Value>) {
  const kept = new Map<string, Value>();

  function makeRoom(): void {
    for (const [key, value] of kept) {
      if (kept.size < most) return;
      if (mayGo(value)) kept.delete(key);
    }
  }

  return {
    get(key: string): Value | undefined {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key: string, value: Value): void {
      kept.delete(key);
      if (kept.size >= most) makeRoom();
      kept.set(key, value);
    },
    delete: (key: string): boolean => kept.delete(key),
    values: (): Value[] => [...kept.values()],
  };
}
