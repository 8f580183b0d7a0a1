import { Type } from 'typebox';
import { contract, MEMORY } from '../../kit/contract.ts';
import { closed, NullableInteger, named, oneOf, Text } from '../../kit/schemas.ts';
import { askProperties, ShownQuestion, UsedModel } from '../models/question.contract.ts';
import { ContentSide, SIDES_LIMIT, SideEntityId } from './content-side.contract.ts';

const conflictProperties = {
  field: Type.String({
    description:
      'Dotted path; items of a list go by their id or name. `markdown_body`: a place in the body. `frontmatter_comments`: comments that found no place',
  }),
  base: Type.Optional(Type.Unknown({ description: 'Absent: there was no value' })),
  local: Type.Optional(Type.Unknown({ description: 'Absent: removed' })),
  remote: Type.Optional(Type.Unknown({ description: 'Absent: removed' })),
  line: Type.Optional(Type.Integer({ description: 'In the body: first line in local’s body, from 1' })),
};
const FieldConflict = named('FieldConflict', conflictProperties);

const MergeProposal = named('MergeProposal', {
  question: Type.Union([ShownQuestion, Type.Null()], {
    description: 'What was sent, or with `dry_run` would be; null where nothing overlaps',
  }),
  used: Type.Union([UsedModel, Type.Null()], { description: 'Null where no model was asked' }),
  parts: Type.Array(
    Type.Object({
      field: Type.String({ description: 'As in `conflicts`' }),
      line: Type.Optional(Type.Integer()),
      value: Type.Optional(Type.Unknown({ description: 'Absent: removed' })),
      reason: Type.String({ description: 'In the words of the model' }),
    }),
    { description: 'What the model proposes' },
  ),
  origins: Type.Array(Type.Object({ field: Text, origin: oneOf(['merge', 'model', 'both'] as const) }), {
    description:
      'Who decided each field that a side changed: the merge, the model, or both in different parts of it. Fields with a conflict are left out',
  }),
  conflicts: Type.Array(Type.Object(conflictProperties), { description: 'What is still open' }),
  problems: Type.Array(Text, { description: 'What the answer could not be used for' }),
  name: Text,
  status: Text,
  fields: Type.Record(Text, Type.Unknown()),
  markdown_body: Text,
  content: Type.String({ description: 'The merged file with the proposals in it' }),
});

export const smartMerge = contract('POST /api/entity/{type}/smart-merge', {
  name: 'smartMerge',
  memory: MEMORY.ofTexts,
  auth: 'bearer',
  project: true,
  tag: 'Revisions',
  summary: 'Merge two states of an entity three ways',
  description:
    'Merges what two people made of one state: fields key by key, the body line by line. What overlaps comes back with both sides, and the body with a proposal that holds both. `base` may be left out for two versions of one entity: their common ancestor is taken. Nothing is saved.\n\nWith `ai` a model proposes a value for each place that overlaps, and `proposal` says what came from it. It gets both sides and the base of these places and nothing else; `dry_run` shows it without sending it. 409 if no model is set up, or if the project forbids generated content of the type; fields for which it does are not asked about. The proposals are validated by the schemas of the fields. Asking a model needs the role editor.',
  params: Type.Object({ type: Text }),
  body: closed(
    {
      entity_id: SideEntityId,
      base: Type.Optional(ContentSide),
      local: ContentSide,
      remote: ContentSide,
      ...askProperties,
      dry_run: Type.Optional(
        Type.Boolean({ default: false, description: 'With `ai`: show what would be sent, and send nothing' }),
      ),
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
    proposal: Type.Optional(MergeProposal),
  }),
  errors: [402, 404, 409, 413, 503],
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
