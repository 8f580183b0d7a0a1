import fc from './properties.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

type Components = Readonly<Record<string, object>>;

/** Text that has broken programs before. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '../../etc/passwd',
    '%00',
    "' or 1=1 --",
    '"',
    '*',
    '__proto__',
    'constructor',
    'null',
    '-1',
    '9'.repeat(30),
    '1e309',
    'a'.repeat(2000),
    '---\nid: x\n---\n',
    '🏝️海月',
    'filter[x]',
  ),
);

const key = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom('a', 'occupation', '', '\0', '__proto__', 'constructor', 'prototype'),
  },
  { weight: 1, arbitrary: anyText },
);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(anyText, { maxLength: 3 }),
  fc.dictionary(key, anyText, { maxKeys: 3 }),
);

function resolved(schema: Schema, components: Components): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : ((components[name] ?? {}) as Schema);
}

/** Beyond types, words and bounds, chance decides. */
export function fromSchema(source: object, components: Components): fc.Arbitrary<unknown> {
  const schema = resolved(source, components);
  const inner = (part: object) => fromSchema(part, components);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(inner));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 100, 100_000) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { minItems = 0, maxItems = 5 } = schema;
      return fc.array(inner(schema.items ?? {}), { minLength: minItems, maxLength: Math.min(maxItems, 5) });
    }
    default:
      return schema.type === 'object' || schema.properties ? objectOf(schema, inner) : anyValue;
  }
}

function textOf({ minLength = 0, maxLength = 60, pattern }: Schema): fc.Arbitrary<unknown> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
  return fc.oneof(plain, anyText.filter(fits));
}

function objectOf(schema: Schema, inner: (part: object) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  const isOpen = schema.patternProperties !== undefined || typeof schema.additionalProperties === 'object';
  if (!isOpen) return named;
  return fc
    .tuple(named, fc.dictionary(key, anyValue, { maxKeys: 4 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

/** One member, at any depth, of another kind, missing or added. */
export function changed(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return anyValue;
  if (Array.isArray(value)) return anyValue.map((entry) => [...value, entry]);
  const members = value as Record<string, unknown>;
  const names = Object.keys(members);
  const added = fc.tuple(key, anyValue).map(([name, entry]) => withMember(members, name, entry));
  if (names.length === 0) return added;
  const name = fc.constantFrom(...names);
  return fc.oneof(
    { weight: 1, arbitrary: added },
    { weight: 1, arbitrary: name.map((gone) => withMember(members, gone, undefined)) },
    {
      weight: 4,
      arbitrary: name.chain((inner) =>
        changed(members[inner]).map((entry) => withMember(members, inner, entry)),
      ),
    },
  );
}

/** A member named `__proto__` is an own one, too. */
const withMember = (members: object, name: string, value: unknown): object =>
  Object.fromEntries([...Object.entries(members), [name, value]]);
