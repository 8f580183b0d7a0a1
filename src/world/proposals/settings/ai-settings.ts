import { Type } from 'typebox';
import { defineSettings } from '../../../frame/settings/index.ts';

const TypeName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,99}$' });
const FieldNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 });

export const aiSettings = defineSettings({
  name: 'ai',
  scope: 'project',
  schema: Type.Object({
    forbidden: Type.Optional(
      Type.Record(TypeName, Type.Union([Type.Literal('never'), FieldNames]), { maxProperties: 500 }),
    ),
    auto_accept: Type.Optional(
      Type.Object({ tags: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    ),
  }),
  secrets: [],
});
