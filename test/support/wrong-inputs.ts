/** Wrong values made from schemas: each breaks exactly one rule. */

export interface Wrong {
  what: string;
  value: unknown;
}

interface Schema {
  type?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A parameter always arrives as text. */
export function wrongTexts(schema: Schema): Wrong[] {
  const { type, minimum, maximum, maxLength, pattern } = schema;
  return [
    ...(type === 'integer' || type === 'number' || type === 'boolean'
      ? [{ what: 'a word', value: 'many' }]
      : []),
    ...(minimum === undefined ? [] : [{ what: 'below the minimum', value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ what: 'above the maximum', value: maximum + 1 }]),
    ...(maxLength === undefined || maxLength > 10_000
      ? []
      : [{ what: 'too long', value: 'x'.repeat(maxLength + 1) }]),
    ...(schema.enum === undefined ? [] : [{ what: 'an unknown word', value: 'no_such_word' }]),
    ...(pattern === undefined ? [] : [{ what: 'against the pattern', value: ' \u0000' }]),
  ];
}

/** `example` satisfies the body's schema. */
export function wrongBodies(schema: Schema, example: unknown): Wrong[] {
  if (schema.type !== 'object') return [];
  const shapes = [[], 'text', 5, null].map((value) => ({ what: JSON.stringify(value), value }));
  return isObject(example) ? [...shapes, ...wrongMembers(schema, example)] : shapes;
}

function wrongMembers(schema: Schema, example: Record<string, unknown>): Wrong[] {
  const missing = (schema.required ?? []).map((name) => {
    const { [name]: _, ...value } = example;
    return { what: `without ${name}`, value };
  });
  const mistyped = Object.entries(schema.properties ?? {})
    .filter(([, property]) => typeof property.type === 'string')
    .map(([name, { type }]) => ({
      what: `${name} of another type`,
      value: { ...example, [name]: type === 'string' ? { no: 'text' } : 'text' },
    }));
  const unknown = { what: 'with an unknown member', value: { ...example, no_such_member: 1 } };
  return [...missing, ...mistyped, ...(schema.additionalProperties === false ? [unknown] : [])];
}
