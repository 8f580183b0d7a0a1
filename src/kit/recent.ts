import type { Clock } from './clock.ts';

export interface RecentOptions<Value> {
  /** `previous` is the last known value. Errors are not cached. */
  load: (key: string, previous: Value | undefined) => Promise<Value>;
  clock: Clock;
  forMs: number;
  /** The oldest go first. */
  most: number;
}

/** Caches values that cost a look-up and may be slightly stale. Concurrent callers share one look-up. */
export function createRecent<Value>({ load, clock, forMs, most }: RecentOptions<Value>) {
  const known = new Map<string, { value: Value; foundAtMs: number }>();
  const looking = new Map<string, Promise<Value>>();
  let generation = 0;

  async function look(key: string): Promise<Value> {
    const previous = known.get(key)?.value;
    known.delete(key);
    const [foundAtMs, before] = [clock.now(), generation];
    const value = await load(key, previous);
    // A value that was read while another was being forgotten may be stale itself.
    if (generation === before) {
      if (known.size >= most) dropOldest(known);
      known.set(key, { value, foundAtMs });
    }
    return value;
  }

  function lookOnce(key: string): Promise<Value> {
    const mine = look(key).finally(() => {
      if (looking.get(key) === mine) looking.delete(key);
    });
    looking.set(key, mine);
    return mine;
  }

  return {
    /** Returns a cached value synchronously, otherwise a promise. */
    get(key: string): Value | Promise<Value> {
      const entry = known.get(key);
      if (entry !== undefined && clock.now() - entry.foundAtMs < forMs) return entry.value;
      return looking.get(key) ?? lookOnce(key);
    },
    forget(fits: (value: Value) => boolean): void {
      generation += 1;
      looking.clear();
      for (const [key, { value }] of known) if (fits(value)) known.delete(key);
    },
  };
}

function dropOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
