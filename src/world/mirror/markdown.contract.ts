import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, optionalBody } from '../../kit/contract.ts';
import { closed, Text } from '../../kit/schemas.ts';

const EntityParams = Type.Object({ type: Text, id: Text });
const Content = Type.String({ maxLength: 8_000_000, description: 'The text of a markdown file' });
const BODY_LIMIT = 10 * 1024 * 1024;
const shared = { auth: 'bearer', project: true } as const;
const example = { entity_type: 'character', entity_id: 'mira_vale' };
const params = { type: 'character', id: 'mira_vale' };
const path = 'Characters/mira_vale/CH_mira_vale.md';

export const saveToMarkdown = contract('POST /api/sync/save-to-markdown/{type}/{id}', {
  name: 'saveToMarkdown',
  ...shared,
  role: PERMISSIONS.edit_entities,
  tag: 'Sync',
  summary: 'Write the database’s state to the entity’s file',
  description:
    'A missing file is written again. A file that says something else is replaced only with `overwrite`; its text goes to the revisions.',
  params: EntityParams,
  query: Type.Object({ overwrite: Type.Optional(Type.Enum(['true', 'false'])) }),
  body: optionalBody({ overwrite: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({
    entity_type: Text,
    entity_id: Text,
    path: Text,
    version: Type.Integer(),
    written: Type.Boolean({ description: 'False when the file was the same already' }),
  }),
  errors: [404, 409, 503],
  example: { params, body: { overwrite: false }, reply: { ...example, path, version: 4, written: true } },
});

export const fromMarkdown = contract('POST /api/sync/from-markdown/{type}/{id}', {
  name: 'fromMarkdown',
  ...shared,
  role: PERMISSIONS.edit_entities,
  tag: 'Sync',
  summary: 'Read the entity’s file into the database',
  params: EntityParams,
  reply: Type.Object({
    entity_type: Text,
    entity_id: Text,
    path: Text,
    version: Type.Integer(),
    action: Type.Enum(['created', 'updated', 'unchanged']),
  }),
  errors: [404, 409, 503],
  example: { params, reply: { ...example, path, version: 5, action: 'updated' } },
});

export const exportMarkdown = contract('POST /api/markdown/export/{type}/{id}', {
  name: 'exportMarkdown',
  ...shared,
  tag: 'Markdown',
  summary: 'The exact text of an entity’s file',
  params: EntityParams,
  reply: Type.Object({ entity_type: Text, entity_id: Text, filename: Text, content: Text }),
  errors: [404],
  example: {
    params,
    reply: {
      ...example,
      filename: 'CH_mira_vale.md',
      content: '---\nid: mira_vale\nname: Mira Vale\n---\n\n# Mira Vale\n',
    },
  },
});

export const formatMarkdown = contract('POST /api/markdown/format', {
  name: 'formatMarkdown',
  ...shared,
  tag: 'Markdown',
  summary: 'Normalise the text of a markdown file',
  description:
    'Line breaks, blanks behind keys and at line ends, one blank line before the body. Values, comments and the order of keys stay. Nothing is stored.',
  body: closed({ content: Content }),
  bodyLimit: BODY_LIMIT,
  reply: Type.Object({ content: Text, changed: Type.Boolean() }),
  example: {
    body: { content: '---\nid:   mira_vale\n---\n# Mira Vale' },
    reply: { content: '---\nid: mira_vale\n---\n\n# Mira Vale\n', changed: true },
  },
});

const Finding = Type.Object({
  line: Type.Integer(),
  column: Type.Integer(),
  message: Text,
  field: Type.Optional(Text),
});

export const validateFrontmatter = contract('POST /api/markdown/validate-frontmatter', {
  name: 'validateFrontmatter',
  ...shared,
  tag: 'Markdown',
  summary: 'Check the frontmatter of a text or of a file',
  description:
    'Send `content` or the `path` of a file in the project. With a type (`entity_type`, or the file’s folder) its values are checked against the template.',
  body: closed({
    content: Type.Optional(Content),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    entity_type: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  bodyLimit: BODY_LIMIT,
  reply: Type.Object({
    valid: Type.Boolean(),
    errors: Type.Array(Finding),
    warnings: Type.Array(Finding),
    data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  }),
  errors: [404, 409],
  example: {
    body: { content: '---\nid: mira_vale\nname: [\n---\n', entity_type: 'character' },
    reply: {
      valid: false,
      errors: [{ line: 3, column: 7, message: 'a list is not closed' }],
      warnings: [],
      data: null,
    },
  },
});
