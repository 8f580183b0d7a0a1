import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import type { FieldDefinition, TemplateDefinition } from '../../../content/template/index.ts';
import { contract } from '../../../kit/contract.ts';
import { closed, NullableInteger, named, nullableText, Text } from '../../../kit/schemas.ts';

const AnyObject = Type.Record(Type.String(), Type.Unknown());
const Source = Type.Enum(['core', 'standard', 'custom']);
const Fields = Type.Unsafe<FieldDefinition[]>({
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'label', 'type', 'nullable', 'default', 'required', 'widget', 'config'],
    properties: {
      name: { type: 'string' },
      label: { type: 'string' },
      type: { enum: ['string', 'number', 'boolean', 'array', 'object'] },
      nullable: { type: 'boolean' },
      default: {},
      required: { type: 'boolean' },
      widget: { type: 'string' },
      config: { type: 'object' },
      placeholder: { type: 'string', description: 'What the template asks the writer, in brackets' },
    },
  },
});

export const DefinitionProblem = Type.Object({
  path: Text,
  reason: Text,
  line: NullableInteger,
  column: NullableInteger,
  severity: Type.Enum(['error', 'warning']),
});

const layout = {
  entity_type: Text,
  label: Text,
  description: Text,
  template_category: Type.String({ description: 'entity, document, core, map or system' }),
  source: Source,
  folder_name: Text,
  file_prefix: Text,
  ui_icon: Type.Optional(Text),
  ui_color: Type.Optional(Text),
};

const EntityTypeInfo = named('EntityTypeInfo', layout);

const Template = named('Template', {
  name: Type.String({ description: 'The file’s name without its ending' }),
  ...layout,
  template_version: Text,
  path: Text,
  asset_subfolders: Type.Array(Text),
  status: Text,
  checksum: Type.String({ description: '`sha256:…` of the file’s bytes as last read without error' }),
  fields: Fields,
});

const TemplateContent = named('TemplateContent', {
  name: Text,
  entity_type: Text,
  path: Text,
  content: Type.String({ description: 'The file’s whole text' }),
  checksum: Text,
  frontmatter: AnyObject,
  markdown_body: Text,
  is_valid: Type.Boolean({ description: 'False when the file cannot be read as a template' }),
  problems: Type.Array(DefinitionProblem),
  definition: Type.Unsafe<TemplateDefinition | null>({
    type: ['object', 'null'],
    description: 'What is in force; null when the file never was a template',
  }),
});

const exampleType = {
  entity_type: 'character',
  label: 'Character',
  description: 'A person, creature or machine with a will of its own',
  template_category: 'entity',
  source: 'standard' as const,
  folder_name: 'Characters',
  file_prefix: 'CH_',
  ui_icon: 'user',
  ui_color: '#C8553D',
};
const exampleField = {
  name: 'want',
  label: 'Want',
  type: 'string' as const,
  nullable: false,
  default: '',
  placeholder: '[What they want more than anything]',
  required: false,
  widget: 'text',
  config: {},
};
const exampleTemplate = {
  name: 'CHARACTER_TEMPLATE',
  ...exampleType,
  template_version: '2.0',
  path: '_Templates/Standard/CHARACTER_TEMPLATE.md',
  asset_subfolders: ['images', 'audio', 'data'],
  status: 'active',
  checksum: 'sha256:51ab…',
  fields: [exampleField],
};

const reads = { auth: 'none', project: true, tag: 'Templates' } as const;
const manages = {
  auth: 'bearer',
  role: PERMISSIONS.manage_templates,
  project: true,
  tag: 'Templates',
} as const;
const writes = { ...manages, feature: 'custom_templates' } as const;

export const listTemplates = contract('GET /api/templates', {
  name: 'listTemplates',
  ...reads,
  summary: 'List templates with their fields',
  description: 'One template a type: Custom replaces Standard replaces Core. `problems` names broken files.',
  reply: Type.Object({ templates: Type.Array(Template), problems: Type.Array(DefinitionProblem) }),
  example: { reply: { templates: [exampleTemplate], problems: [] } },
});

export const listEntityTypes = contract('GET /api/templates/entity-types', {
  name: 'listEntityTypes',
  ...reads,
  summary: 'List entity types',
  reply: Type.Object({ entity_types: Type.Array(EntityTypeInfo) }),
  example: { reply: { entity_types: [exampleType] } },
});

export const reloadTemplates = contract('POST /api/templates/reload', {
  name: 'reloadTemplates',
  ...manages,
  summary: 'Read the templates from disk again',
  reply: Type.Object({
    added: Type.Array(Text),
    changed: Type.Array(Text),
    removed: Type.Array(Text),
    total: Type.Integer(),
    problems: Type.Array(DefinitionProblem),
    duration_ms: Type.Number(),
  }),
  example: {
    reply: {
      added: ['starship'],
      changed: [],
      removed: [],
      total: 17,
      problems: [
        {
          path: '_Templates/Custom/ORACLE_TEMPLATE.md',
          reason: 'bad indentation of a mapping entry',
          line: 7,
          column: 3,
          severity: 'error' as const,
        },
      ],
      duration_ms: 12,
    },
  },
});

const TemplateParams = Type.Object({
  name: Type.String({
    maxLength: 100,
    description: 'The type, `CHARACTER_TEMPLATE` or `CHARACTER_TEMPLATE.md`',
  }),
});

const exampleContent = {
  name: 'FACTION_TEMPLATE',
  entity_type: 'faction',
  path: '_Templates/Standard/FACTION_TEMPLATE.md',
  content: '---\nentity_type: faction\nmotto: ""\n---\n\n## What they want\n',
  checksum: 'sha256:0c77…',
  frontmatter: { entity_type: 'faction', motto: '' },
  markdown_body: '## What they want\n',
  is_valid: true,
  problems: [],
  definition: null,
};

export const getTemplate = contract('GET /api/templates/{name}', {
  name: 'getTemplate',
  ...reads,
  summary: 'Read a template',
  description:
    'Its text as it is on disk, and the definition in force. The `ETag` can be sent back as `If-Match`.',
  params: TemplateParams,
  reply: TemplateContent,
  errors: [404],
  example: { params: { name: 'faction' }, reply: exampleContent },
});

const UpdateTemplateBody = closed(
  {
    content: Type.Optional(Type.String({ description: 'The whole new text' })),
    frontmatter: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Keys to set; all others stay as they are' }),
    ),
    unset: Type.Optional(Type.Array(Text, { description: 'Keys to take out' })),
    markdown_body: Type.Optional(Text),
    overwrite: Type.Optional(
      Type.Boolean({ description: 'Replace a file that cannot be read; its text goes to the revisions' }),
    ),
  },
  { minProperties: 1, $id: 'UpdateTemplate' },
);

export const updateTemplate = contract('PUT /api/templates/{name}', {
  name: 'updateTemplate',
  ...writes,
  summary: 'Change a template, or add a type',
  description:
    'Only what changes is rewritten: comments, order and quoting stay. A changed template says a later `template_version` than before, or gets the next minor one: versions never go back. The metadata `template_version`, `id`, `entity_type`, `created_date`, `last_updated` and `status` are required. A name that is no type yet makes one in `_Templates/Custom` from `content`.',
  params: TemplateParams,
  body: UpdateTemplateBody,
  reply: TemplateContent,
  errors: [404, 409, 412],
  bodyLimit: 24 * 1024 * 1024,
  example: {
    params: { name: 'faction' },
    body: { frontmatter: { motto: '[The words they live by]' } },
    reply: exampleContent,
  },
});

const InstructionsReply = Type.Object({
  entity_type: Text,
  instructions: Text,
  placeholders: Type.Record(Type.String(), Type.String(), {
    description: 'What the template asks of each field, by dotted path',
  }),
  sections: Type.Array(
    Type.Object({
      heading: nullableText('Null for what stands before the first heading'),
      level: Type.Integer({ description: '1 to 6; 0 before the first heading' }),
      placeholders: Type.Array(Text, { description: 'Bracketed instructions, in their order' }),
      text: Type.String({ description: 'All that stands under the heading, up to the next one' }),
    }),
    { description: 'The headings of the template’s body and what their texts ask of a writer' },
  ),
});
const exampleInstructions = {
  entity_type: 'character',
  instructions: 'Write a person, not a list of traits.',
  placeholders: { want: '[What they want more than anything]' },
  sections: [
    {
      heading: 'Backstory',
      level: 2,
      placeholders: ['[Only what still hurts or still works today.]'],
      text: '[Only what still hurts or still works today.]',
    },
  ],
};

export const getInstructions = contract('GET /api/templates/{name}/instructions', {
  name: 'getTemplateInstructions',
  ...reads,
  summary: 'Read what a template asks of writers and tells the AI',
  params: TemplateParams,
  reply: InstructionsReply,
  errors: [404],
  example: { params: { name: 'character' }, reply: exampleInstructions },
});

export const updateInstructions = contract('PUT /api/templates/{name}/instructions', {
  name: 'updateTemplateInstructions',
  ...writes,
  summary: 'Change what a template tells the AI',
  params: TemplateParams,
  body: closed({ instructions: Type.String({ maxLength: 100_000 }) }, { $id: 'UpdateInstructions' }),
  reply: InstructionsReply,
  errors: [404, 409, 412],
  example: {
    params: { name: 'character' },
    body: { instructions: 'Write a person, not a list of traits.' },
    reply: exampleInstructions,
  },
});
