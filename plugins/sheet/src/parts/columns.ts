import type { Entity } from './entity.ts';

export type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'list';

export interface Column {
  /** Of a field, or `name` or `status`. */
  key: string;
  /** As it stands in the first line of the sheet. */
  title: string;
  kind: Kind;
  isField: boolean;
  /** Nothing else is right; null if anything is. */
  options: readonly string[] | null;
  /** Empty is null, and no empty text. */
  isNullable: boolean;
}

export const ID = 'id';
export const VERSION = 'version';
/** Fields of these names are not seen by the call that changes entries. */
const ATTRIBUTE_KEYS = new Set(['name', 'status', 'markdown_body']);
const STATUSES = ['active', 'archived', 'draft'];

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const attribute = (key: string, options: readonly string[] | null): Column => ({
  key,
  title: key,
  kind: 'text',
  isField: false,
  options,
  isNullable: false,
});

export const ATTRIBUTES: readonly Column[] = [attribute('name', null), attribute('status', STATUSES)];

/** Null for what no cell can hold: objects, and lists of them. */
function kindOf(schema: Record<string, unknown>): Kind | null {
  const types = [schema.type].flat().filter((type) => type !== 'null');
  const [type] = types;
  if (types.length > 1) return null;
  if (type === 'number' || type === 'integer' || type === 'boolean') return type;
  if (type === 'array') {
    if (schema['x-relationship-types'] !== undefined || schema['x-widget'] === 'relationships') return null;
    const items = isMap(schema.items) ? schema.items.type : undefined;
    return items === undefined || items === 'string' ? 'list' : null;
  }
  return type === 'string' ? 'text' : null;
}

function columnOf(key: string, schema: unknown): Column | null {
  const known = isMap(schema) ? schema : {};
  const kind = kindOf(known);
  if (kind === null || ATTRIBUTE_KEYS.has(key)) return null;
  return {
    key,
    // A field may have the name of a column that every sheet has.
    title: key === ID || key === VERSION ? `fields.${key}` : key,
    kind,
    isField: true,
    options: Array.isArray(known.enum) ? known.enum.map(String) : null,
    isNullable: [known.type].flat().includes('null'),
  };
}

const orderOf = (schema: unknown): number =>
  isMap(schema) && typeof schema['x-order'] === 'number' ? schema['x-order'] : Number.MAX_SAFE_INTEGER;

/** The fields of a type that a cell can hold, in the order of its template. */
export function fieldColumns(schema: unknown): Column[] {
  const properties = isMap(schema) && isMap(schema.properties) ? schema.properties : {};
  return Object.entries(properties)
    .sort(([, one], [, other]) => orderOf(one) - orderOf(other))
    .flatMap(([key, property]) => columnOf(key, property) ?? []);
}

export const valueIn = ({ key, isField }: Column, entity: Entity): unknown =>
  isField ? entity.fields[key] : key === 'name' ? entity.name : entity.status;
