import { isMap, type JsonMap } from '../../../text/json.ts';
import { BODY, PRODUCTION, pathOf } from '../field-path.ts';
import type { FormField } from '../form-field.ts';

/** A part of an entity's draft, and the value that it shall have. */
export interface PatchPart {
  /** As drafts name it; `markdown_body` for the text. */
  path: string;
  value: unknown;
}

export interface EntityParts {
  parts: PatchPart[];
  /** Names of what an entity cannot have, or not such a value of. */
  refused: string[];
}

/** They are what an entity is, and not what stands in it. */
const FIXED: ReadonlySet<string> = new Set([
  'id',
  'entity_id',
  'entity_type',
  'version',
  'template_version',
  'created_date',
  'created_at',
  'last_updated',
  'updated_at',
  'updated_by',
]);

const STATUSES: readonly unknown[] = ['active', 'draft', 'archived'];

/** Attributes of an entity that a patch may name beside its fields. */
const ATTRIBUTES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['name', (value: unknown) => typeof value === 'string' && value.trim() !== ''],
  ['status', (value: unknown) => STATUSES.includes(value)],
  [BODY, (value: unknown) => typeof value === 'string'],
  ['primary_asset', (value: unknown) => value === null || typeof value === 'string'],
]);

/**
 * A whole entity as a patch, as a page sends it back: what it is, it stays. A patch cannot tell a field from a part of the
 * entity with the same name, so the part counts.
 */
export function patchOfEntity(fields: JsonMap, entity: JsonMap): JsonMap {
  const own = Object.entries(entity).filter(([name]) => ATTRIBUTES.has(name) || name === PRODUCTION);
  const others = Object.entries(fields).filter(([name]) => !FIXED.has(name));
  return Object.fromEntries([...others, ...own]);
}

/**
 * The parts of a draft that a patch of fields changes. As in the API, maps that the template types are merged key by
 * key, and anything else is replaced; fields that the template does not know are admitted.
 * @param fields of the template
 */
export function partsOfPatch(patch: JsonMap, fields: readonly FormField[]): EntityParts {
  const found: EntityParts = { parts: [], refused: [] };
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  for (const [name, value] of Object.entries(patch)) {
    const fits = ATTRIBUTES.get(name);
    if (fits) take(found, [name], value, fits(value));
    else if (name === PRODUCTION) takeMap(found, [name], value, []);
    else if (FIXED.has(name)) found.refused.push(name);
    else takeField(found, ['fields', name], value, fieldOf(name));
  }
  return found;
}

function takeField(
  found: EntityParts,
  keys: readonly string[],
  value: unknown,
  field: FormField | undefined,
): void {
  if (isMap(value) && field?.types.includes('object') && field.fields.length > 0)
    takeMap(found, keys, value, field.fields);
  else take(found, keys, value, field === undefined || admits(field, value));
}

function takeMap(
  found: EntityParts,
  keys: readonly string[],
  value: unknown,
  fields: readonly FormField[],
): void {
  const fieldOf = (name: string) => fields.find((field) => field.name === name);
  if (!isMap(value)) take(found, keys, value, value === null);
  else
    for (const [name, entry] of Object.entries(value))
      takeField(found, [...keys, name], entry, fieldOf(name));
}

function take(found: EntityParts, keys: readonly string[], value: unknown, isFitting: boolean): void {
  if (isFitting) found.parts.push({ path: pathOf(...keys), value });
  else found.refused.push(keys.filter((key, at) => at > 0 || key !== 'fields').join('.'));
}

/** True if a field can have such a value at all; null clears any. */
export function admits({ types }: Pick<FormField, 'types'>, value: unknown): boolean {
  if (value === null) return true;
  const type = Array.isArray(value) ? 'array' : typeof value;
  return types.some((known) => known === type);
}
