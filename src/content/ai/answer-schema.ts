import { admitsOnlyOptions, admitsSeveral, type FieldDefinition, isInteger } from '../template/index.ts';
import type { Target } from './target.ts';

export type AnswerSchema = Readonly<Record<string, unknown>>;

const ENTITY_ID = '^[a-z0-9][a-z0-9_]{0,99}$';
const LONGEST_NAME = 300;
const MOST_ENTRIES = 500;
const LONGEST_TEXT = 100_000;

export const text = (description?: string): AnswerSchema => ({
  type: 'string',
  maxLength: LONGEST_TEXT,
  ...(description !== undefined && { description }),
});

/** The form's words about a field, for the model. */
function helpOf(field: FieldDefinition): string | undefined {
  const suggested = field.options !== undefined && !admitsOnlyOptions(field);
  const help = [
    field.description,
    field.placeholder,
    suggested ? `Such as ${field.options?.map(({ value }) => value).join(', ')}` : undefined,
    field.reference_type === undefined ? undefined : `The id of a ${field.reference_type}`,
  ];
  return help.filter((line) => line !== undefined).join('. ') || undefined;
}

const boundOf = (field: FieldDefinition, key: string): number | undefined => {
  const bound = field.config[key];
  return typeof bound === 'number' && Number.isFinite(bound) ? bound : undefined;
};

function numberSchema(field: FieldDefinition): AnswerSchema {
  const [minimum, maximum] = [boundOf(field, 'min'), boundOf(field, 'max')];
  return {
    type: isInteger(field.declared_type) ? 'integer' : 'number',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

const idSchema: AnswerSchema = { type: 'string', pattern: ENTITY_ID };

function listSchema(field: FieldDefinition, items: AnswerSchema): AnswerSchema {
  return { type: 'array', items, maxItems: boundOf(field, 'max_selections') ?? MOST_ENTRIES };
}

function itemsOf({ items, properties, reference_type: reference }: FieldDefinition): AnswerSchema {
  if (items === 'object') return mapSchema(properties);
  if (items === 'any' || items === 'array') return {};
  if (items === 'number' || items === 'boolean') return { type: items };
  return reference === undefined ? text() : idSchema;
}

const mapSchema = (properties: readonly FieldDefinition[] = []): AnswerSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties.map((field) => [field.name, fieldSchema(field)])),
  // A map without typed keys takes any, as in the file.
  additionalProperties: properties.length === 0,
});

function valueSchema(field: FieldDefinition): AnswerSchema {
  if (admitsSeveral(field)) return { anyOf: [idSchema, listSchema(field, idSchema)] };
  if (admitsOnlyOptions(field) && field.type !== 'array' && field.type !== 'object')
    return { enum: field.options?.map(({ value }) => value) ?? [] };
  if (field.type === 'array') return listSchema(field, itemsOf(field));
  if (field.type === 'object') return mapSchema(field.properties);
  if (field.type === 'number') return numberSchema(field);
  if (field.type === 'boolean') return { type: 'boolean' };
  return field.reference_type === undefined ? text() : idSchema;
}

/** Null says that the model proposes nothing. */
export function fieldSchema(field: FieldDefinition): AnswerSchema {
  const description = helpOf(field);
  return {
    anyOf: [valueSchema(field), { type: 'null' }],
    ...(description !== undefined && { description }),
  };
}

export const closed = (properties: Record<string, AnswerSchema>): AnswerSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** JSON Schema of an answer: `name`, `fields`, `markdown_body`, `passages`, as far as the target has them. */
export function answerSchema({ name, fields, body, passages }: Target): AnswerSchema {
  return closed({
    ...(name && { name: { type: 'string', minLength: 1, maxLength: LONGEST_NAME } }),
    ...(fields.length > 0 && {
      fields: closed(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]))),
    }),
    ...(body && { markdown_body: text('Markdown, the whole text under the fields') }),
    ...(passages.length > 0 && {
      passages: closed(Object.fromEntries(passages.map(({ key }) => [key, text('Replaces the passage')]))),
    }),
  });
}
