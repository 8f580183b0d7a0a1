import { isMap } from '../../text/json.ts';
import { listOfValue, valueOfList } from './field-value.ts';
import type { FormField } from './form-field.ts';

/** One entry of a field of references. `id` is null for what names no entity. */
export interface ReferenceEntry {
  id: string | null;
  type: string | null;
  relationship: string | null;
  /** As it stands in the file. */
  raw: unknown;
}

const LINK = /^\[\[(?:([a-z0-9][a-z0-9_]*):)?\s*([^\]|]+?)\s*(?:\|[^\]]*)?\]\]$/;
const RELATIONSHIP_KEYS = ['relationship_type', 'relationship', 'type', 'kind', 'role'];

/** Null if the value is no list of references. */
export function referencesIn(field: FormField, value: unknown): ReferenceEntry[] | null {
  return listOfValue(value)?.map((raw) => entryOf(raw, field)) ?? null;
}

function entryOf(raw: unknown, field: FormField): ReferenceEntry {
  const nothing = { id: null, type: field.referenceType, relationship: null, raw };
  if (typeof raw === 'string') return { ...nothing, ...targetOf(raw, field.referenceType) };
  if (!isMap(raw)) return nothing;
  const key = idKeyOf(raw, field.referenceType);
  const id = key === undefined ? undefined : raw[key];
  const relationship = field.relationshipTypes.length === 0 ? undefined : relationshipKeyOf(raw);
  return {
    ...nothing,
    ...(typeof id === 'string' && targetOf(id, field.referenceType)),
    relationship: relationship === undefined ? null : String(raw[relationship]),
  };
}

function targetOf(text: string, referenceType: string | null): { id: string | null; type: string | null } {
  const link = LINK.exec(text.trim());
  if (link) return { id: link[2] ?? null, type: link[1] ?? referenceType };
  return { id: text.trim() || null, type: referenceType };
}

function idKeyOf(map: Record<string, unknown>, type: string | null): string | undefined {
  const keys = ['entity_id', 'id', ...(type === null ? [] : [`${type}_id`, type]), 'target_id', 'target'];
  return keys.find((key) => typeof map[key] === 'string');
}

const relationshipKeyOf = (map: Record<string, unknown>): string | undefined =>
  RELATIONSHIP_KEYS.find((key) => typeof map[key] === 'string');

/** The field's value with one more reference, in the shape that the file has. */
export function withReference(
  field: FormField,
  value: unknown,
  added: { id: string; type: string },
): unknown {
  const list = listOfValue(value) ?? [];
  const entry = newEntry(field, list, added);
  const isSingle = field.maxSelections === 1 || !field.types.includes('array');
  return valueOfList(isSingle ? [entry] : [...list, entry], field.types, value);
}

/** Ids alone where the type is known; links where it may be any; maps where the other entries are maps. */
function newEntry(
  { referenceType }: FormField,
  list: readonly unknown[],
  { id, type }: { id: string; type: string },
): unknown {
  const last = list.at(-1);
  if (isMap(last)) return { [idKeyOf(last, referenceType) ?? 'target']: id };
  const isLink = typeof last === 'string' ? LINK.test(last.trim()) : referenceType === null;
  return isLink ? `[[${type}:${id}]]` : id;
}

export function withoutReference(field: FormField, value: unknown, index: number): unknown {
  return valueOfList(
    (listOfValue(value) ?? []).filter((_, at) => at !== index),
    field.types,
    value,
  );
}

/** A bare id becomes a map, since only a map has a place for the word. */
export function withRelationship(
  field: FormField,
  value: unknown,
  { index, relationship }: { index: number; relationship: string },
): unknown {
  const list = (listOfValue(value) ?? []).map((raw, at) => (at === index ? related(raw, relationship) : raw));
  return valueOfList(list, field.types, value);
}

function related(raw: unknown, relationship: string): unknown {
  if (!isMap(raw)) return { target: raw, type: relationship };
  return { ...raw, [relationshipKeyOf(raw) ?? 'type']: relationship };
}
