import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { PRODUCTION_STATUS_SCHEMA } from '../../content/production-status.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery } from '../../kit/page.ts';
import { closed, NullableText, named, Text } from '../../kit/schemas.ts';

const AnyObject = Type.Record(Type.String(), Type.Unknown());

const EntityStatus = Type.Enum(['active', 'archived', 'draft']);

const ValidationErrorItem = Type.Object({
  field: NullableText,
  message: Text,
  code: Text,
  line: Type.Optional(Type.Integer()),
  severity: Type.Enum(['error', 'warning']),
});

export const Entity = named('Entity', {
  entity_type: Text,
  entity_id: Text,
  name: Text,
  status: Type.String({
    description: 'active, archived or draft; what else a file says is kept and reported',
  }),
  fields: AnyObject,
  markdown_body: Text,
  primary_asset: NullableText,
  validation_errors: Type.Array(ValidationErrorItem),
  is_valid: Type.Boolean(),
  production_status: Type.Unknown(),
  template_version: NullableText,
  version: Type.Integer({ description: 'Grows by one with every change' }),
  checksum: Type.String({ description: '`sha256:…` of the canonical JSON of `{fields, markdown_body}`' }),
  file_checksum: Type.String({ description: '`sha256:…` of the file’s bytes' }),
  created_at: Text,
  updated_at: Text,
  updated_by: NullableText,
});

const TypeParams = Type.Object({
  type: Type.String({ description: 'Entity type, such as `character`' }),
});
export const EntityParams = Type.Object({ type: Text, id: Text });

export const exampleEntity = {
  entity_type: 'character',
  entity_id: 'mira_vale',
  name: 'Mira Vale',
  status: 'active',
  fields: { occupation: 'Tide reader', birth_year: 1187, traits: ['patient', 'stubborn'] },
  markdown_body: '# Mira Vale\n\nReads the tide tables aloud.\n',
  primary_asset: 'images/portrait.png',
  validation_errors: [],
  is_valid: true,
  production_status: null,
  template_version: '2.0',
  version: 3,
  checksum: 'sha256:9f2c…',
  file_checksum: 'sha256:51ab…',
  created_at: '2026-01-12T00:00:00.000Z',
  updated_at: '2026-03-02T10:15:00.000Z',
  updated_by: null,
};

const EntityColumns = named('EntityColumns', {
  entity_id: Text,
  version: Type.Integer(),
  updated_at: Text,
  values: Type.Record(Type.String(), Type.Unknown(), {
    description: 'By column; null where the entity has no such value',
  }),
});

const SORT_COLUMNS = [
  'updated_at',
  'created_at',
  'name',
  'status',
  'entity_id',
  'version',
  'is_valid',
  'relevance',
] as const;

const shared = { auth: 'bearer', project: true, tag: 'Entities' } as const;

export const listEntities = contract('GET /api/entity/{type}', {
  ...shared,
  name: 'listEntities',
  summary: 'List entities of a type',
  description:
    'Filters by status and by field value (`filter[birth_year]=1187`, nested as `filter[look.hair]=black`), searches name, fields and body, and pages. With `search` and no `sort_by` the best match comes first. With `columns` the reply has `rows` with these values alone instead of whole entities.',
  params: TypeParams,
  query: Type.Object({
    ...pageQuery,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        default: 50,
        description: 'At most 200 without `columns`',
      }),
    ),
    columns: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        description:
          'Up to 50 fields, as `birth_year,arc.beginning`, or attributes, as `name,status`: what each row has in `values`',
      }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 400,
        description: 'Words that must all occur; the last letters may be missing',
      }),
    ),
    status: Type.Optional(EntityStatus),
    sort_by: Type.Optional(Type.Enum(SORT_COLUMNS, { description: 'Default `updated_at`' })),
    sort_order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc' })),
  }),
  otherQuery: /^filter/,
  reply: named('EntityList', {
    total: Type.Integer(),
    offset: Type.Integer(),
    limit: Type.Integer(),
    entities: Type.Array(Entity, { description: 'Empty with `columns`' }),
    rows: Type.Optional(Type.Array(EntityColumns, { description: 'With `columns` alone' })),
  }),
  errors: [404],
  example: {
    params: { type: 'character' },
    query: { search: 'tide reader', limit: 10 },
    reply: { total: 1, offset: 0, limit: 10, entities: [exampleEntity] },
  },
});

export const getEntity = contract('GET /api/entity/{type}/{id}', {
  ...shared,
  name: 'getEntity',
  summary: 'Get one entity',
  description:
    'The `ETag` of the reply can be sent back as `If-Match` with a change. `If-None-Match` answers 304.',
  params: EntityParams,
  reply: Entity,
  errors: [404],
  example: { params: { type: 'character', id: 'mira_vale' }, reply: exampleEntity },
});

const Fields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values for the template’s fields; others are kept too',
});
const Name = Type.String({ minLength: 1, maxLength: 500 });
const Body = Type.String({ maxLength: 8_000_000 });

/** The parts of an entity that a form edits. */
export const draftProperties = {
  name: Type.Optional(Name),
  status: Type.Optional(EntityStatus),
  fields: Type.Optional(Fields),
  markdown_body: Type.Optional(Body),
};

const CreateEntityBody = closed(
  {
    entity_id: Type.Optional(
      Type.String({
        description:
          'Made of the name unless given: `Mira Vale` becomes `mira_vale`, or `mira_vale_2` where that is taken',
      }),
    ),
    ...draftProperties,
    name: Name,
  },
  { $id: 'CreateEntity' },
);

const Warnings = Type.Optional(
  Type.Array(
    Type.Object({
      field: Type.String({ description: 'Dotted path below `fields`' }),
      message: Type.String(),
    }),
    {
      description:
        'Given fields that the template does not know. They are kept; left out where there are none',
    },
  ),
);

const CreatedEntity = named('CreatedEntity', { ...Entity.properties, warnings: Warnings });

export const LARGE_BODY = 10 * 1024 * 1024;

export const createEntity = contract('POST /api/entity/{type}', {
  ...shared,
  name: 'createEntity',
  role: PERMISSIONS.create_entities,
  summary: 'Create an entity',
  description:
    'Writes `<Folder>/<entity_id>/<PREFIX><entity_id>.md`. Without `markdown_body` the file takes the template’s body; an empty string stays empty.',
  params: TypeParams,
  body: CreateEntityBody,
  reply: CreatedEntity,
  status: 201,
  errors: [402, 404, 409, 413],
  bodyLimit: LARGE_BODY,
  example: {
    params: { type: 'character' },
    body: {
      entity_id: 'wren_hale',
      name: 'Wren Hale',
      status: 'draft',
      fields: { occupation: 'Tide reader' },
    },
    reply: { ...exampleEntity, entity_id: 'wren_hale', name: 'Wren Hale' },
  },
});

const UpdateEntityBody = closed(
  {
    ...draftProperties,
    primary_asset: Type.Optional(NullableText),
    production_status: Type.Optional(Type.Unsafe<Record<string, unknown> | null>(PRODUCTION_STATUS_SCHEMA)),
    overwrite: Type.Optional(
      Type.Boolean({ description: 'Replace a file that cannot be read; its old text goes to the revisions' }),
    ),
    base_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'The version that the change was made from. What others changed since is merged with it; what overlaps answers 409 with the conflict, and changes nothing. A change that answers anew all that overlapped in a conflict of your own, from the version it met or a later one, resolves that conflict',
      }),
    ),
    on_conflict: Type.Optional(
      Type.Enum(['keep', 'report'], {
        description:
          'With `base_version`: `keep`, the default, stores what overlaps as a conflict to be resolved later; `report` stores nothing, and `conflict_id` is null. The 409 is otherwise the same: `conflict` has base, your side (`remote`) and theirs (`local`, with its version), and `overlaps` names each field with its three values, and each place of the body with its line and lines',
      }),
    ),
  },
  { $id: 'UpdateEntity' },
);

const UpdatedEntity = named('UpdatedEntity', {
  ...Entity.properties,
  warnings: Warnings,
  merged: Type.Optional(
    Type.Boolean({ description: 'With `base_version`: whether changes of others were merged' }),
  ),
});

export const updateEntity = contract('PUT /api/entity/{type}/{id}', {
  ...shared,
  name: 'updateEntity',
  role: PERMISSIONS.edit_entities,
  summary: 'Change fields or text of an entity',
  description:
    'Only what is given changes, and in the file only the lines of what changes. Maps that the template types, such as `stats`, and `production_status` are merged key by key, and null removes a key; `{"$replace": {…}}` in a map’s place replaces the whole map. Lists and other maps are replaced whole. Send `If-Match` to refuse a change over a version you have not seen.',
  params: EntityParams,
  query: Type.Object({
    via: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9-]{0,63}$',
        description:
          'The plugin by which the caller makes the change, as the caller says: the history names it',
      }),
    ),
  }),
  body: UpdateEntityBody,
  reply: UpdatedEntity,
  errors: [404, 409, 412, 413],
  bodyLimit: LARGE_BODY,
  example: {
    params: { type: 'character', id: 'mira_vale' },
    body: { fields: { occupation: 'Harbour master' } },
    reply: exampleEntity,
  },
});

const Referrer = named('Referrer', {
  entity_type: Text,
  entity_id: Text,
  name: Text,
  status: Text,
  field: Type.String({ description: 'Dotted path of the field, or `markdown_body`' }),
  kind: Type.Enum(['field', 'link']),
});

export const deleteEntity = contract('DELETE /api/entity/{type}/{id}', {
  ...shared,
  name: 'deleteEntity',
  role: PERMISSIONS.delete_entities,
  summary: 'Move an entity to the recycle bin',
  params: EntityParams,
  description:
    'The reply says who still refers to it: how many references lead to it, links that name its id without a type among them, and the first 50.',
  reply: Type.Object({
    message: Text,
    item_id: Text,
    entity_type: Text,
    entity_id: Text,
    referrers: Type.Object({ total: Type.Integer(), references: Type.Array(Referrer) }),
  }),
  errors: [404, 409, 412],
  example: {
    params: { type: 'character', id: 'mira_vale' },
    reply: {
      message: "character 'mira_vale' is in the recycle bin",
      item_id: 'e1f6c1d2-52f3-4d4e-9a0e-0a2f5d3c7b10',
      entity_type: 'character',
      entity_id: 'mira_vale',
      referrers: {
        total: 1,
        references: [
          {
            entity_type: 'character',
            entity_id: 'oda_pell',
            name: 'Oda Pell',
            status: 'active',
            field: 'relationships',
            kind: 'field',
          },
        ],
      },
    },
  },
});
