import type { Clock } from './clock.ts';

export interface RecentOptions<Value> {
  /** Finds the value of a key; `previous` is what was known of it before. What it throws is not remembered. */
  load: (key: string, previous: Value | undefined) => Promise<Value>;
  clock: Clock;
  /** How long a value counts. */
  forMs: number;
  /** Values kept; the oldest go first. */
  most: number;
}

/** Values that cost a look-up and may be a little old. Those who ask at the same time share one look. */
export function createRecent<Value>({ load, clock, forMs, most }: RecentOptions<Value>) {
  const known = new Map<string, { value: Value; foundAtMs: number }>();
  const looking = new Map<string, Promise<Value>>();
  let generation = 0;

  async function look(key: string): Promise<Value> {
    const previous = known.get(key)?.value;
    known.delete(key);
    const [foundAtMs, before] = [clock.now(), generation];
    const value = await load(key, previous);
    // What was read while something was being forgotten may be what is to be forgotten.
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
    /** At once when it is known, else a promise. */
    get(key: string): Value | Promise<Value> {
      const entry = known.get(key);
      if (entry !== undefined && clock.now() - entry.foundAtMs < forMs) return entry.value;
      return looking.get(key) ?? lookOnce(key);
    },
    /** Values that fit are looked up anew from now on. */
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
