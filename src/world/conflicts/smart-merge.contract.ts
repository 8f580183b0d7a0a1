import { Type } from 'typebox';
import { contract, MEMORY } from '../../kit/contract.ts';
import { closed, NullableInteger, named, Text } from '../../kit/schemas.ts';
import { ContentSide, SIDES_LIMIT, SideEntityId } from './content-side.contract.ts';

const FieldConflict = named('FieldConflict', {
  field: Type.String({
    description:
      'Dotted path; items of a list go by their id or name. `markdown_body`: a place in the body. `frontmatter_comments`: comments that found no place',
  }),
  base: Type.Optional(Type.Unknown({ description: 'Absent: there was no value' })),
  local: Type.Optional(Type.Unknown({ description: 'Absent: removed' })),
  remote: Type.Optional(Type.Unknown({ description: 'Absent: removed' })),
  line: Type.Optional(Type.Integer({ description: 'In the body: first line in local’s body, from 1' })),
});

export const smartMerge = contract('POST /api/entity/{type}/smart-merge', {
  name: 'smartMerge',
  memory: MEMORY.ofTexts,
  auth: 'bearer',
  project: true,
  tag: 'Revisions',
  summary: 'Merge two states of an entity three ways',
  description:
    'Merges what two people made of one state: fields key by key, the body line by line. What overlaps comes back with both sides, and the body with a proposal that holds both. `base` may be left out for two versions of one entity: their common ancestor is taken. Nothing is saved.',
  params: Type.Object({ type: Text }),
  body: closed(
    {
      entity_id: SideEntityId,
      base: Type.Optional(ContentSide),
      local: ContentSide,
      remote: ContentSide,
    },
    { $id: 'SmartMerge' },
  ),
  bodyLimit: SIDES_LIMIT,
  reply: Type.Object({
    clean: Type.Boolean({ description: 'Whether nothing overlaps' }),
    structured: Type.Boolean({
      description: 'False where a side cannot be read as an entity: whole texts were merged by lines',
    }),
    base_version: NullableInteger,
    name: Text,
    status: Text,
    fields: Type.Record(Text, Type.Unknown()),
    markdown_body: Text,
    content: Type.String({ description: 'The merged file; local’s side of what overlaps' }),
    conflicts: Type.Array(FieldConflict),
    proposed_body: Type.String({ description: 'The body with both sides of what overlaps' }),
  }),
  errors: [404, 413],
  example: {
    params: { type: 'character' },
    body: {
      base: { content: '---\nid: mira_vale\nage: 30\n---\n\nReads tides.\n' },
      local: { content: '---\nid: mira_vale\nage: 31\n---\n\nReads tides.\n' },
      remote: { content: '---\nid: mira_vale\nage: 32\n---\n\nReads tides aloud.\n' },
    },
    reply: {
      clean: false,
      structured: true,
      base_version: null,
      name: 'Mira Vale',
      status: 'active',
      fields: { age: 31 },
      markdown_body: 'Reads tides aloud.\n',
      content: '---\nid: mira_vale\nage: 31\n---\n\nReads tides aloud.\n',
      conflicts: [{ field: 'age', base: 30, local: 31, remote: 32 }],
      proposed_body: 'Reads tides aloud.\n',
    },
  },
});
