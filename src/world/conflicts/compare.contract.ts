import { Type } from 'typebox';
import { contract, MEMORY } from '../../kit/contract.ts';
import { closed, Text } from '../../kit/schemas.ts';
import { ContentSide, SIDES_LIMIT, SideEntityId } from './content-side.contract.ts';

export const compareEntity = contract('POST /api/entity/{type}/compare', {
  name: 'compareEntity',
  memory: MEMORY.ofTexts,
  auth: 'bearer',
  project: true,
  tag: 'Revisions',
  summary: 'Compare two states of an entity',
  description:
    'Field by field, and line by line. Each side is a version of `entity_id`, a file’s text, or fields and body; without `to` it is the entity as it is now. Nothing is saved.',
  params: Type.Object({ type: Text }),
  body: closed(
    { entity_id: SideEntityId, from: ContentSide, to: Type.Optional(ContentSide) },
    { $id: 'Compare' },
  ),
  bodyLimit: SIDES_LIMIT,
  reply: Type.Object({
    identical: Type.Boolean(),
    summary: Type.String({ description: 'What differs, in words' }),
    attributes: Type.Array(Type.Unknown()),
    fields: Type.Array(Type.Unknown()),
    body: Type.Array(Type.Unknown()),
    text: Type.String({ description: 'A unified diff of the whole files' }),
  }),
  errors: [404, 413],
  example: {
    params: { type: 'character' },
    body: { entity_id: 'mira_vale', from: { version: 2 }, to: { version: 3 } },
    reply: {
      identical: false,
      summary: '1 field changed: occupation; text +1 −1 lines',
      attributes: [],
      fields: [{ field: 'occupation', kind: 'changed', before: 'Tide reader', after: 'Harbour master' }],
      body: [
        { kind: 'removed', line_before: 1, lines: ['# Mira'] },
        { kind: 'added', line_after: 1, lines: ['# Mira Vale'] },
      ],
      text: '--- version 2\n+++ version 3\n@@ -2,1 +2,1 @@\n-occupation: Tide reader\n+occupation: Harbour master\n',
    },
  },
});
