import { Type } from 'typebox';
import { defineSettings } from '../../../frame/settings/index.ts';
import { ForbiddenParts } from './ai-settings.contract.ts';

const TypeName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,99}$' });

export const aiSettings = defineSettings({
  name: 'ai',
  scope: 'project',
  schema: Type.Object({
    forbidden: Type.Optional(Type.Record(TypeName, ForbiddenParts, { maxProperties: 500 })),
    auto_accept: Type.Optional(
      Type.Object({ tags: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    ),
  }),
  secrets: [],
});
