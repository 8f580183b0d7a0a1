import { isMap } from '../../text/json.ts';
import { didYouMean } from '../../text/near.ts';
import { ENTITY_METADATA_KEYS, type FieldDefinition, type TemplateDefinition } from '../template/index.ts';
import type { Path } from './check.ts';
import { compiled } from './compiled.ts';

/** Kept, since files may hold fields of their own (spec 1 §2.2). */
export interface UnknownField {
  path: Path;
  field: string;
  message: string;
}

/** No sound entity has more unknown fields, and each costs a search for similar names. */
const MOST_TOLD = 50;

type Known = readonly FieldDefinition[];

/** For each list of fields: a large world asks for the same few names again and again. */
const asked = new WeakMap<Known, Map<string, string>>();
const MOST_KEPT = 1_000;

function nearIn(fields: Known, name: string, others: Iterable<string>): string {
  const answers = asked.get(fields) ?? new Map<string, string>();
  asked.set(fields, answers);
  const known = answers.get(name);
  if (known !== undefined) return known;
  const near = didYouMean(name, [...fields.map((field) => field.name), ...others]);
  if (answers.size < MOST_KEPT) answers.set(name, near);
  return near;
}

interface Search {
  entityType: string;
  found: UnknownField[];
}

function tell({ entityType, found }: Search, path: Path, near: string): void {
  const message = `is not a field of the template for ${entityType}${near}; it is kept as it is`;
  found.push({ path, field: path.join('.'), message });
}

/** A field whose template types no keys may hold any. */
function searchValue(search: Search, field: FieldDefinition, value: unknown, path: Path): void {
  const { properties = [] } = field;
  if (properties.length === 0) return;
  const maps = Array.isArray(value) ? [...value.entries()] : [[undefined, value] as const];
  for (const [index, entry] of maps) {
    if (isMap(entry)) searchMap(search, properties, entry, index === undefined ? path : [...path, index]);
  }
}

function searchMap(search: Search, properties: Known, map: Record<string, unknown>, path: Path): void {
  for (const [name, value] of Object.entries(map)) {
    if (search.found.length >= MOST_TOLD) return;
    const property = properties.find((one) => one.name === name);
    if (property) searchValue(search, property, value, [...path, name]);
    else tell(search, [...path, name], nearIn(properties, name, []));
  }
}

/** At most 50. Attributes and metadata are no fields. */
export function unknownFields(
  template: TemplateDefinition,
  fields: Readonly<Record<string, unknown>>,
): UnknownField[] {
  const { byName, hidden } = compiled(template);
  const search: Search = { entityType: template.entity_type, found: [] };
  for (const [name, value] of Object.entries(fields)) {
    if (search.found.length >= MOST_TOLD) break;
    const field = byName.get(name);
    if (field) searchValue(search, field, value, [name]);
    else if (!hidden.has(name)) tell(search, [name], nearIn(template.fields, name, ENTITY_METADATA_KEYS));
  }
  return search.found;
}
