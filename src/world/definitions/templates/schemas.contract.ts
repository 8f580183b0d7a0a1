import { Type } from 'typebox';
import { contract } from '../../../kit/contract.ts';

const JsonSchema = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JSON Schema 2020-12 with `x-` hints for forms, such as `x-widget`. `x-form-layout` is the saved layout of the type, with `sections` and `hidden` as `GET /api/layouts/{type}` has them; null where that file cannot be read, absent where none is saved.',
});
const TypeParams = Type.Object({
  type: Type.String({ maxLength: 100, description: 'Entity type, such as `character`' }),
});
const exampleSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:canonry:entity:faction:2.0',
  title: 'Faction',
  type: 'object',
  properties: { motto: { type: 'string', title: 'Motto', default: '', 'x-widget': 'text', 'x-order': 0 } },
  additionalProperties: true,
  'x-entity-type': 'faction',
  'x-template-version': '2.0',
};
const reads = { auth: 'none', project: true } as const;
const oneType = {
  ...reads,
  summary: 'The schema of a type’s fields',
  params: TypeParams,
  reply: JsonSchema,
  errors: [404],
  example: { params: { type: 'faction' }, reply: exampleSchema },
};

export const listSchemas = contract('GET /api/schemas', {
  name: 'listSchemas',
  ...reads,
  tag: 'Templates',
  summary: 'The schemas of all types',
  reply: Type.Object({ schemas: Type.Record(Type.String(), JsonSchema) }),
  example: { reply: { schemas: { faction: exampleSchema } } },
});

export const getSchema = contract('GET /api/schemas/{type}', {
  name: 'getSchema',
  tag: 'Templates',
  ...oneType,
});

export const getEntitySchema = contract('GET /api/entity/{type}/schema', {
  name: 'getEntitySchema',
  tag: 'Entities',
  ...oneType,
});
