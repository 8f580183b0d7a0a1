import type { PluginManifest, PluginPermission, PluginSetting } from '../../content/plugins/index.ts';
import { type GuestHost, type GuestLogLevel, GuestRefusal } from '../../platform/guests/host.ts';
import { isMap } from '../../text/json.ts';
import type { TestWorld } from './test-world.ts';

const LONGEST_KEY = 256;
const LONGEST_VALUE = 65_536;
const MOST_IDS = 1_000;
const MOST_HITS = 100;

export interface TestHost extends GuestHost {
  lines: { level: GuestLogLevel; message: string }[];
  /** Actions that a service would have taken, one line each. */
  wouldDo: string[];
  /** In a service nothing can be written while an entity is being saved. */
  isSaving: boolean;
}

/**
 * A host that reads the world and does nothing to it. The plugin has all permissions that it asks for; its values are in
 * memory, and its settings have their defaults.
 */
export function createTestHost(
  world: TestWorld,
  { permissions, settings }: Pick<PluginManifest, 'permissions' | 'settings'>,
): TestHost {
  const has = (permission: PluginPermission) => permissions.includes(permission);
  const need = (permission: PluginPermission) => {
    if (!has(permission)) throw new GuestRefusal(`the permission ${permission} was not granted`);
  };
  const mayRead = has('entities:read');
  const values = new Map<string, string>();
  const host: TestHost = {
    lines: [],
    wouldDo: [],
    isSaving: false,
    log: (level, message) => void host.lines.push({ level, message }),
    entities: {
      get: async (type, id) => (mayRead ? (world.find(type, id)?.json ?? null) : null),
      listIds: async (type, limit, after) =>
        (mayRead ? idsAfter(world, type, after) : []).slice(0, atMost(limit, MOST_IDS)),
      search: async (query, limit) =>
        (mayRead ? hitsFor(world, query) : []).slice(0, atMost(limit, MOST_HITS)),
      async write(type, id, patch) {
        need('entities:write');
        if (host.isSaving) throw new GuestRefusal('no entity can be changed while one is being saved');
        const entity = world.find(type, id);
        if (!entity) throw new GuestRefusal(`There is no ${type} '${id}'`);
        host.wouldDo.push(`write ${type}/${id}: ${patch}`);
        return patched(entity.json, patch);
      },
    },
    settings: {
      get: async () => JSON.stringify(has('settings:read') ? defaultsOf(settings.global) : {}),
    },
    kv: {
      get: async (key) => values.get(key) ?? null,
      async set(key, value) {
        const bytes = Buffer.byteLength(key);
        if (bytes < 1 || bytes > LONGEST_KEY) throw new GuestRefusal(`a key has 1 to ${LONGEST_KEY} bytes`);
        if (Buffer.byteLength(value) > LONGEST_VALUE)
          throw new GuestRefusal(`a value has at most ${LONGEST_VALUE} bytes`);
        values.set(key, value);
      },
      async delete(key) {
        values.delete(key);
      },
      list: async (prefix) =>
        [...values.keys()]
          .filter((key) => key.startsWith(prefix))
          .sort()
          .slice(0, MOST_IDS),
    },
    events: {
      async emit(name, payload) {
        need('events:emit');
        jsonOf(payload);
        host.wouldDo.push(`emit ${name}: ${payload}`);
      },
    },
    http: {
      async request({ method, url }) {
        host.wouldDo.push(`request ${method} ${url}`);
        throw new GuestRefusal('canonry plugin test sends no requests');
      },
    },
  };
  return host;
}

const defaultsOf = (settings: readonly PluginSetting[]) =>
  Object.fromEntries(settings.map((setting) => [setting.key, setting.default ?? null]));

const atMost = (limit: number, most: number): number => Math.min(limit, most);

const idsAfter = ({ entities }: TestWorld, type: string, after: string | null): string[] =>
  entities
    .filter(({ entityType, id }) => entityType === type && (after === null || id > after))
    .map(({ id }) => id);

/** By the words in names and texts; a service ranks them better. */
function hitsFor({ entities }: TestWorld, query: string) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return entities
    .filter(({ json }) => words.every((word) => json.toLowerCase().includes(word)))
    .map(({ entityType, id, name }) => ({ entityType, id, name }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GuestRefusal('this is no JSON');
  }
}

function patched(json: string, patch: string): string {
  const change = jsonOf(patch);
  if (!isMap(change)) throw new GuestRefusal('a patch is a JSON object');
  const entity: { fields: object } = JSON.parse(json);
  return JSON.stringify({ ...entity, fields: { ...entity.fields, ...change } });
}
