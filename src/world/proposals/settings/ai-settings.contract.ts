import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract } from '../../../kit/contract.ts';
import { closed, NullableText, named } from '../../../kit/schemas.ts';

const FieldNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 });
const Never = Type.Literal('never');
/** Everything of a type, or some of its fields. */
export const ForbiddenParts = Type.Union([Never, FieldNames]);

const Settings = named('AiSettings', {
  forbidden: Type.Record(Type.String(), ForbiddenParts, {
    description: 'By type: `never`, or the fields that may not be generated; `markdown_body` is the body',
  }),
  auto_accept: Type.Object({
    tags: Type.Boolean({ description: 'Whether suggested tags of assets are accepted automatically' }),
  }),
  updated_by: NullableText,
  updated_at: NullableText,
});

const shared = { auth: 'bearer', project: true, tag: 'Proposals' } as const;
const reply = {
  forbidden: { dialogue: 'never' as const, character: ['backstory'] },
  auto_accept: { tags: false },
  updated_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  updated_at: '2026-03-02T10:15:00.000Z',
};

export const getAiSettings = contract('GET /api/ai/settings', {
  ...shared,
  name: 'getAiSettings',
  summary: 'What this project allows AI to do',
  reply: Settings,
  example: { reply },
});

export const updateAiSettings = contract('PUT /api/ai/settings', {
  ...shared,
  name: 'updateAiSettings',
  role: PERMISSIONS.manage_settings,
  summary: 'Change what this project allows AI to do',
  description:
    'Settings that are left out stay as they are; `null` allows a type again. What is forbidden is neither generated nor accepted, even if it was proposed before.',
  body: closed({
    forbidden: Type.Optional(
      Type.Record(Type.String(), Type.Union([Never, FieldNames, Type.Null()]), { maxProperties: 500 }),
    ),
    auto_accept: Type.Optional(closed({ tags: Type.Optional(Type.Boolean()) })),
  }),
  reply: Settings,
  example: { body: { forbidden: { dialogue: 'never', character: ['backstory'] } }, reply },
});
