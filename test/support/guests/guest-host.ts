import { type GuestHost, type GuestLogLevel, GuestRefusal } from '../../../src/platform/guests/host.ts';

export interface TestHost extends GuestHost {
  /** As `level message`. */
  lines: string[];
  values: Map<string, string>;
  /** Calls that change something or leave the service, as they arrived. */
  done: unknown[][];
}

/** A small world: Mira, who keeps a lamp. */
export function createTestHost(): TestHost {
  const lines: string[] = [];
  const values = new Map<string, string>();
  const done: unknown[][] = [];
  return {
    lines,
    values,
    done,
    log: (level: GuestLogLevel, message: string) => lines.push(`${level} ${message}`),
    entities: {
      get: async (type, id) => (id === 'nobody' ? null : JSON.stringify({ type, id, name: 'Míra 🪔' })),
      listIds: async (_type, limit, after) => (after ? ['noor', 'olin'] : ['lena', 'mira']).slice(0, limit),
      search: async (query) => [{ entityType: 'character', id: 'mira', name: `Keeper of the ${query}` }],
      async write(type, id, patch) {
        done.push(['write', type, id, patch]);
        if (id === 'nobody') throw new GuestRefusal('there is no nobody');
        return JSON.stringify({ id, ...JSON.parse(patch) });
      },
    },
    settings: { get: async () => '{"lamp":"brass","key":"sésame"}' },
    kv: {
      get: async (key) => values.get(key) ?? null,
      async set(key, value) {
        if (key === '') throw new GuestRefusal('a key has 1 to 256 bytes');
        values.set(key, value);
      },
      async delete(key) {
        values.delete(key);
      },
      list: async (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
    },
    events: {
      async emit(name, payload) {
        done.push(['emit', name, payload]);
        if (!payload.startsWith('{')) throw new GuestRefusal('the payload is not JSON');
      },
    },
    http: {
      async request(request) {
        done.push(['request', request]);
        if (!request.url.includes('lamps')) throw new GuestRefusal('this host is not granted');
        return { status: 201, headers: [['x-lamp', 'on']], body: 'shining' };
      },
    },
  };
}
