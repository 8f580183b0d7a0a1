import { isMap, type JsonMap } from '../../../text/json.ts';

interface EntityAddress {
  entity_type: string;
  entity_id: string;
}

interface Page {
  limit?: number;
  offset?: number;
}

interface Order {
  sort_by?: string;
  sort_order?: string;
}

interface OfRecord {
  record_type: string;
  record_id: string;
}

/** The calls that a page may make to the host. */
export type HostCall =
  | { call: 'entities.get'; args: EntityAddress }
  | { call: 'entities.list'; args: { entity_type: string } & Page & Order }
  | { call: 'entities.search'; args: { query: string; limit?: number } }
  | { call: 'entities.update'; args: EntityAddress & { fields: JsonMap; base_version?: number } }
  | { call: 'entities.graph'; args: EntityAddress & { depth?: number; limit?: number } }
  | { call: 'types.list'; args: object }
  | { call: 'types.schema'; args: { entity_type: string } }
  | { call: 'data.list'; args: { record_type: string } & Page & Partial<EntityAddress> }
  | { call: 'data.get' | 'data.delete'; args: OfRecord }
  | { call: 'data.create'; args: { record_type: string; data: JsonMap } }
  | { call: 'data.put'; args: OfRecord & { data: JsonMap } }
  | { call: 'settings.get'; args: object }
  | { call: 'settings.set_user'; args: { values: JsonMap } }
  | { call: 'files.offer'; args: { name: string; content: Blob } }
  | { call: 'custom'; args: { method: string; path: string; body?: unknown } };

export type HostCallName = HostCall['call'];

type Kind = 'name' | 'text' | 'count' | 'map' | 'file' | 'any';

interface Shape {
  needs?: 'entities:read' | 'entities:write';
  required: Readonly<Record<string, Kind>>;
  optional?: Readonly<Record<string, Kind>>;
}

const address = { entity_type: 'name', entity_id: 'name' } as const;
const page = { limit: 'count', offset: 'count' } as const;
const order = { sort_by: 'text', sort_order: 'text' } as const;
const record = { record_type: 'name', record_id: 'name' } as const;

const SHAPES: ReadonlyMap<unknown, Shape> = new Map<HostCallName, Shape>([
  ['entities.get', { needs: 'entities:read', required: address }],
  [
    'entities.list',
    { needs: 'entities:read', required: { entity_type: 'name' }, optional: { ...page, ...order } },
  ],
  ['entities.search', { needs: 'entities:read', required: { query: 'text' }, optional: { limit: 'count' } }],
  [
    'entities.update',
    { needs: 'entities:write', required: { ...address, fields: 'map' }, optional: { base_version: 'count' } },
  ],
  [
    'entities.graph',
    { needs: 'entities:read', required: address, optional: { depth: 'count', limit: 'count' } },
  ],
  ['types.list', { required: {} }],
  ['types.schema', { required: { entity_type: 'name' } }],
  ['data.list', { required: { record_type: 'name' }, optional: { ...page, ...address } }],
  ['data.get', { required: record }],
  ['data.delete', { required: record }],
  ['data.create', { required: { record_type: 'name', data: 'map' } }],
  ['data.put', { required: { ...record, data: 'map' } }],
  ['settings.get', { required: {} }],
  ['settings.set_user', { required: { values: 'map' } }],
  ['files.offer', { required: { name: 'text', content: 'file' } }],
  ['custom', { required: { method: 'text', path: 'text' }, optional: { body: 'any' } }],
]);

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const FITS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  // It becomes a part of an address, where these two would lead to another call.
  name: (value) => isText(value) && value !== '.' && value !== '..',
  text: isText,
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  map: isMap,
  file: (value) => value instanceof Blob,
  any: () => true,
};

const WORDS: Readonly<Record<Kind, string>> = {
  name: 'a name',
  text: 'a text',
  count: 'a whole number',
  map: 'an object',
  file: 'a Blob',
  any: 'anything',
};

export interface Refusal {
  status: number;
  detail: string;
}

/** A call that may be made, or why not. Details are English, since developers of plugins read them. */
export function readHostCall(
  call: unknown,
  args: JsonMap,
  granted: ReadonlySet<string>,
): HostCall | { refused: Refusal } {
  const shape = SHAPES.get(call);
  if (!shape) return refused(404, `There is no call '${shown(call)}'; there are ${names()}`);
  const { needs, required, optional = {} } = shape;
  if (needs && !granted.has(needs)) return refused(403, missing(needs, shown(call)));
  const entries: [string, unknown][] = [];
  for (const [name, kind] of Object.entries({ ...required, ...optional })) {
    const value = Object.hasOwn(args, name) ? (args[name] ?? undefined) : undefined;
    if (value === undefined && !Object.hasOwn(required, name)) continue;
    if (!FITS[kind](value)) return refused(400, `'${shown(call)}' needs ${name}: ${WORDS[kind]}`);
    entries.push([name, value]);
  }
  // The shapes above are those of the calls.
  return { call, args: Object.fromEntries(entries) } as HostCall;
}

const missing = (permission: string, call: string): string =>
  `'${call}' needs the permission '${permission}': name it in 'permissions' of plugin.json, and let an admin grant it`;

const refused = (status: number, detail: string) => ({ refused: { status, detail } });

const shown = (call: unknown): string => String(typeof call === 'string' ? call : typeof call).slice(0, 60);

const names = (): string => [...SHAPES.keys()].join(', ');
