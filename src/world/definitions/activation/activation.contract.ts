import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract, projectIdSchema } from '../../../kit/contract.ts';
import { closed, NullableText, named, Text } from '../../../kit/schemas.ts';

const ProjectId = Type.Optional(projectIdSchema('Project; goes before the query and the header'));
const EntityTypeBody = closed(
  { entity_type: Type.String({ maxLength: 64 }), project_id: ProjectId },
  { $id: 'ActivationBody' },
);
const Category = Type.Enum(['entity', 'document', 'core']);

const TemplateInfo = named('TemplateInfo', {
  entity_type: Text,
  label: Text,
  description: Text,
  category: Category,
  source: Text,
  is_active: Type.Boolean(),
});

const exampleInfo = {
  entity_type: 'faction',
  label: 'Faction',
  description: 'A group with aims of its own',
  category: 'entity' as const,
  source: 'standard',
  is_active: true,
};

const reads = { auth: 'bearer', project: true, tag: 'Activation' } as const;
const manages = {
  auth: 'bearer',
  role: PERMISSIONS.manage_templates,
  project: true,
  tag: 'Activation',
} as const;

export const availableTemplates = contract('GET /api/tenant/available-templates', {
  name: 'availableTemplates',
  ...reads,
  summary: 'Types that a project could use',
  query: Type.Object({ category: Type.Optional(Category) }),
  reply: Type.Array(TemplateInfo),
  example: { query: { category: 'entity' }, reply: [exampleInfo] },
});

export const activeTemplates = contract('GET /api/tenant/active-templates', {
  name: 'activeTemplates',
  ...reads,
  summary: 'Types that are active in a project',
  description: '`total_active` counts `active_types`, which the plan limits; core types are always active.',
  reply: Type.Object({
    active_types: Type.Array(Text),
    core_types: Type.Array(Text),
    total_active: Type.Integer(),
    plan: Text,
  }),
  example: {
    reply: {
      active_types: ['character', 'location'],
      core_types: ['assembly', 'dialogue', 'quest', 'timeline'],
      total_active: 2,
      plan: 'free',
    },
  },
});

export const activateTemplate = contract('POST /api/tenant/activate-template', {
  name: 'activateTemplate',
  ...manages,
  summary: 'Activate a type',
  description: 'A type that is active already stays so. 403 when the plan allows no more.',
  body: EntityTypeBody,
  reply: TemplateInfo,
  errors: [404],
  example: { body: { entity_type: 'faction' }, reply: exampleInfo },
});

export const deactivateTemplate = contract('DELETE /api/tenant/deactivate-template', {
  name: 'deactivateTemplate',
  ...manages,
  summary: 'Deactivate a type',
  description: 'Its entities stay as they are. 400 for core types; a type that is not active stays so.',
  body: EntityTypeBody,
  reply: TemplateInfo,
  errors: [400, 404],
  example: { body: { entity_type: 'faction' }, reply: { ...exampleInfo, is_active: false } },
});

export const starterPacks = contract('GET /api/tenant/starter-packs', {
  name: 'starterPacks',
  ...reads,
  summary: 'Sets of types to begin with',
  reply: Type.Object({
    packs: Type.Array(
      Type.Object({
        pack_id: Text,
        name: Text,
        description: Text,
        types: Type.Array(Text),
        type_count: Type.Integer(),
      }),
    ),
  }),
  example: {
    reply: {
      packs: [
        {
          pack_id: 'starter-locations',
          name: 'Locations',
          description: 'Places and the districts they are made of.',
          types: ['location', 'district'],
          type_count: 2,
        },
      ],
    },
  },
});

export const activateStarterPack = contract('POST /api/tenant/activate-starter-pack', {
  name: 'activateStarterPack',
  ...manages,
  summary: 'Activate all types of a starter pack',
  description: 'All or none: 403 when the plan has no room for all, 422 when a template is missing.',
  body: closed(
    { pack_id: Type.String({ maxLength: 64 }), project_id: ProjectId },
    { $id: 'ActivatePackBody' },
  ),
  reply: Type.Object({
    pack_id: Text,
    project_id: Text,
    newly_activated: Type.Array(Text),
    total_active: Type.Integer(),
  }),
  errors: [404],
  example: {
    body: { pack_id: 'starter-locations' },
    reply: {
      pack_id: 'starter-locations',
      project_id: 'default',
      newly_activated: ['location', 'district'],
      total_active: 3,
    },
  },
});

export const tenantUsage = contract('GET /api/tenant/usage', {
  name: 'tenantUsage',
  ...reads,
  project: false,
  summary: 'How many entities there are and may be',
  reply: Type.Object({
    entities_count: Type.Integer(),
    entities_limit: Type.Integer({ description: '-1 for any number' }),
    over_plan: Type.Integer({ description: 'How many entities there are beyond the limit' }),
    storage_configured: Type.Boolean(),
    plan: Text,
    can_create: Type.Boolean(),
    block_reason: NullableText,
  }),
  example: {
    reply: {
      entities_count: 42,
      entities_limit: 100,
      over_plan: 0,
      storage_configured: true,
      plan: 'free',
      can_create: true,
      block_reason: null,
    },
  },
});
