import { deepEqual } from '../../text/json.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { primaryAssetKey, readName } from './attributes.ts';
import type { EntityDataEdit, EntityPatch } from './types.ts';

type Data = Readonly<Record<string, unknown>>;

function attributesOf(data: Data, patch: EntityPatch): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  if (patch.name !== undefined) set[nameKey(data, patch)] = patch.name;
  if (patch.status !== undefined) set.status = patch.status;
  if (patch.primary_asset !== undefined) set[primaryAssetKey(data)] = patch.primary_asset;
  if (patch.production_status !== undefined) set.production_status = patch.production_status;
  return set;
}

/** Unless the same patch sets that key as a field. */
function nameKey(data: Data, patch: EntityPatch): string {
  const key = readName(data)?.key ?? 'name';
  return key === 'title' && Object.hasOwn(patch.fields ?? {}, 'title') ? 'name' : key;
}

function isChange(data: Data, key: string, value: unknown): boolean {
  if (Object.hasOwn(data, key)) return !deepEqual(data[key], value);
  return value !== undefined && !(value === null && (key === 'primary_asset' || key === 'production_status'));
}

const orderOf = (template: TemplateDefinition): string[] => [
  'id',
  'entity_type',
  'name',
  'status',
  ...template.fields.map((field) => field.name),
];

function precedingKey(
  order: readonly string[],
  key: string,
  present: ReadonlySet<string>,
): string | undefined {
  const at = order.indexOf(key);
  if (at < 0) return undefined;
  return order.slice(0, at).findLast((earlier) => present.has(earlier));
}

/** Undefined: a new key comes last. */
export const keyBefore = (template: TemplateDefinition, data: Data, key: string): string | undefined =>
  precedingKey(orderOf(template), key, new Set(Object.keys(data)));

/**
 * Only keys whose value differs from the file's. The name goes to the key it was read from; `last_updated` follows if the
 * file has it. New keys follow the template's order.
 */
export function entityDataEdit(template: TemplateDefinition, data: Data, patch: EntityPatch): EntityDataEdit {
  const wanted = { ...attributesOf(data, patch), ...patch.fields };
  const changes = Object.entries(wanted).filter(([key, value]) => isChange(data, key, value));
  const order = orderOf(template);
  const placeOf = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  changes.sort(([a], [b]) => placeOf(a) - placeOf(b));
  const set = Object.fromEntries(changes);
  if (changes.length > 0 && Object.hasOwn(data, 'last_updated') && data.last_updated !== patch.today) {
    set.last_updated = patch.today;
  }
  const present = new Set([...Object.keys(data), ...Object.keys(set)]);
  const after: Record<string, string> = {};
  for (const key of Object.keys(set)) {
    const preceding = Object.hasOwn(data, key) ? undefined : precedingKey(order, key, present);
    if (preceding !== undefined) after[key] = preceding;
  }
  return { set, after };
}
