/** JSON Schema 2020-12 whose references point into `components`. */
export type SchemaObject = Record<string, unknown>;

/** Schemas that carry a `$id` are written once and referred to everywhere else. */
export interface Components {
  /** Returns the schema itself, or a reference to its component. */
  use(schema: unknown): SchemaObject;
  /** By `$id`. */
  readonly schemas: Record<string, SchemaObject>;
}

const NAMED_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);
const SCHEMAS = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const referenceTo = (id: string): SchemaObject => ({ $ref: `#/components/schemas/${id}` });

/** Throws for two different schemas under one `$id`: that is a mistake in the contracts. */
export function createComponents(): Components {
  const schemas: Record<string, SchemaObject> = {};
  const sources = new Map<string, string>();

  const hoist = (id: string, schema: Record<string, unknown>): SchemaObject => {
    const source = JSON.stringify(schema);
    const known = sources.get(id);
    if (known !== undefined && known !== source)
      throw new Error(`two different schemas carry the $id '${id}'`);
    if (known === undefined) {
      sources.set(id, source);
      schemas[id] = {};
      schemas[id] = rewrite(schema);
    }
    return referenceTo(id);
  };

  const rewrite = (schema: Record<string, unknown>): SchemaObject => {
    const { $id: _, ...rest } = schema;
    const result = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, rewriteKeyword(key, value)]),
    );
    return withType(result);
  };

  const rewriteKeyword = (key: string, value: unknown): unknown => {
    if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) return referenceTo(value).$ref;
    if (NAMED_SCHEMAS.has(key) && isRecord(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, visit(schema)]));
    }
    return SCHEMAS.has(key) ? visit(value) : value;
  };

  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isRecord(value)) return value;
    return typeof value.$id === 'string' ? hoist(value.$id, value) : rewrite(value);
  };

  return { use: (schema) => visit(schema) as SchemaObject, schemas };
}

/** Adds the type to an enumeration of words: without it, both doc pages show `any`. */
function withType(schema: SchemaObject): SchemaObject {
  const words = schema.enum;
  const isText = Array.isArray(words) && words.every((word) => typeof word === 'string');
  return isText && schema.type === undefined ? { type: 'string', ...schema } : schema;
}
