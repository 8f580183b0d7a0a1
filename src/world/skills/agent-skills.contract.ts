import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { SKILL_TIERS } from '../../content/skills/index.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { Count, closed, NullableText, named, nullableText, oneOf, Text } from '../../kit/schemas.ts';

const AnyMap = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

/** Its form is checked by the handler, which answers 400. */
const SkillId = Type.String({ description: 'Lower-case letters, digits and underscores' });
const SkillParams = Type.Object({ skill_id: SkillId });

const DEFINITION =
  'What the skill can do: `capabilities` and `applies_to` (entity types and kinds of documents; none means all), also `version`, `rules`, `workflows` and further `prompts` (`task`, `output_format`, `examples`, `user`)';
const PARAMETERS = 'Such as `temperature` and `max_tokens`';

const written = {
  skill_id: SkillId,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 5_000, default: '' })),
  category: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100 })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, default: [] })),
  definition: Type.Optional(AnyMap(DEFINITION)),
  prompt_template: Type.Optional(
    Type.String({ maxLength: 200_000, default: '', description: 'The system prompt' }),
  ),
  parameters: Type.Optional(AnyMap(PARAMETERS)),
  min_tier: Type.Optional({
    ...oneOf(SKILL_TIERS),
    description: 'The lowest plan that includes it',
    default: 'free',
  }),
  is_featured: Type.Optional(Type.Boolean({ default: false })),
  is_builtin: Type.Optional(Type.Boolean({ default: false })),
};
const SkillBody = closed(written, { $id: 'SkillBody' });
export type SkillWrite = Static<typeof SkillBody>;

const AgentSkill = named('AgentSkill', {
  skill_id: Text,
  name: Text,
  description: Text,
  category: NullableText,
  tags: Type.Array(Text),
  definition: AnyMap(DEFINITION),
  prompt_template: Text,
  parameters: AnyMap(PARAMETERS),
  min_tier: Text,
  is_featured: Type.Boolean(),
  is_builtin: Type.Boolean(),
  usage_count: { ...Count, description: 'How often it was installed' },
  created_at: Text,
  updated_at: Text,
});
export type AgentSkillReply = Static<typeof AgentSkill>;

export const SOURCES = ['marketplace', 'template_pack', 'local'] as const;

const installation = {
  installation_id: Text,
  skill_id: Text,
  enabled: Type.Boolean(),
  source: oneOf(SOURCES),
};
const Installation = named('SkillInstallation', {
  ...installation,
  source_url: nullableText('Where it came from; never opened'),
  installed_by: Text,
  installed_at: Text,
  updated_at: Text,
  version: nullableText('The version that was installed, if the skill says one'),
});
export type InstallationReply = Static<typeof Installation>;

const EnabledSkill = named('EnabledSkill', {
  ...installation,
  installed_at: Text,
  definition: AnyMap(DEFINITION),
  prompt_template: Text,
  parameters: AnyMap(PARAMETERS),
});
export type EnabledSkillReply = Static<typeof EnabledSkill>;

const Message = Type.Object({ message: Text });
const Installed = Type.Object({ message: Text, installation: Installation });

const exampleBody = {
  skill_id: 'harbour_gossip',
  name: 'Harbour gossip',
  description: 'Rumours that contradict each other, and say who gains',
  category: 'narrative',
  tags: ['rumours'],
  definition: { capabilities: ['rumours'], applies_to: ['location', 'event'], version: '1.0' },
  prompt_template: 'You collect what people say at the quay. Every rumour has an owner who gains by it.',
  parameters: { temperature: 0.8 },
  min_tier: 'free',
  is_featured: false,
  is_builtin: false,
};
const exampleSkill = {
  ...exampleBody,
  usage_count: 3,
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: '2026-03-02T09:15:00.000Z',
};
const exampleInstallation: InstallationReply = {
  installation_id: '0d5a3a3e-7a2f-4b0e-9a55-1f2c3d4e5f60',
  skill_id: 'harbour_gossip',
  enabled: true,
  source: 'marketplace',
  source_url: null,
  installed_by: '5f1c1d0a-2b7e-4c36-9a4f-0d7b9e6a2c11',
  installed_at: '2026-03-02T10:20:00.000Z',
  updated_at: '2026-03-02T10:20:00.000Z',
  version: '1.0',
};
const params = { skill_id: 'harbour_gossip' };

const reads = { auth: 'bearer', tag: 'Agent skills' } as const;
/** Skills shape what a model writes, for the whole tenant in the cloud. */
const uses = { ...reads, role: PERMISSIONS.use_ai } as const;
const manages = { ...reads, role: 'admin' } as const;

export const listSkills = contract('GET /api/agent-skills', {
  ...reads,
  name: 'listSkills',
  summary: 'The registry of skills',
  description: 'Featured ones first, then by name.',
  query: Type.Object({
    category: Type.Optional(Type.String({ maxLength: 100 })),
    search: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Words, or beginnings of words, in the name, description or id',
      }),
    ),
    featured: Type.Optional(Type.Boolean({ default: false, description: 'Only featured ones' })),
    ...pageQuery,
  }),
  reply: pageReply({ skills: Type.Array(AgentSkill) }),
  example: { reply: { skills: [exampleSkill], total: 1, limit: 50, offset: 0 } },
});

export const getSkill = contract('GET /api/agent-skills/{skill_id}', {
  ...reads,
  name: 'getSkill',
  summary: 'A skill of the registry',
  params: SkillParams,
  reply: AgentSkill,
  errors: [400, 404],
  example: { params, reply: exampleSkill },
});

export const registerSkill = contract('POST /api/agent-skills/registry', {
  ...manages,
  name: 'registerSkill',
  summary: 'Put a skill into the registry, or replace it',
  description:
    'Anything left out takes its default. Installations and the usage count stay. A shipped skill can be replaced; deleting it brings the shipped one back.',
  body: SkillBody,
  reply: AgentSkill,
  errors: [400, 409],
  example: { body: exampleBody, reply: exampleSkill },
});

export const unregisterSkill = contract('DELETE /api/agent-skills/registry/{skill_id}', {
  ...manages,
  name: 'unregisterSkill',
  summary: 'Remove a skill from the registry',
  description:
    'Installations stay, and count again once the skill is back. A shipped skill that was replaced becomes the shipped one again; one that was not is refused with 409: disable or uninstall it.',
  params: SkillParams,
  reply: Message,
  errors: [400, 404, 409],
  example: { params, reply: { message: "Skill 'harbour_gossip' removed from registry" } },
});

export const listInstalledSkills = contract('GET /api/agent-skills/tenant/installed', {
  ...reads,
  name: 'listInstalledSkills',
  summary: 'Installed skills',
  description: 'Those of the user in a self-hosted core, or of the tenant in the cloud.',
  query: Type.Object({ enabled_only: Type.Optional(Type.Boolean({ default: false })) }),
  reply: Type.Object({ skills: Type.Array(Installation) }),
  example: { reply: { skills: [exampleInstallation] } },
});

export const listEnabledSkills = contract('GET /api/agent-skills/tenant/enabled', {
  ...reads,
  name: 'listEnabledSkills',
  summary: 'Enabled skills, with what the registry says about them',
  description: 'Without those that the plan does not include or the registry no longer has.',
  reply: Type.Object({ skills: Type.Array(EnabledSkill) }),
  example: {
    reply: {
      skills: [
        {
          installation_id: exampleInstallation.installation_id,
          skill_id: 'harbour_gossip',
          enabled: true,
          source: 'marketplace',
          installed_at: exampleInstallation.installed_at,
          definition: exampleBody.definition,
          prompt_template: exampleBody.prompt_template,
          parameters: exampleBody.parameters,
        },
      ],
    },
  },
});

export const installSkill = contract('POST /api/agent-skills/tenant/install', {
  ...uses,
  name: 'installSkill',
  summary: 'Install a skill, or enable it again',
  body: closed(
    {
      skill_id: SkillId,
      source: Type.Optional({ ...oneOf(SOURCES), default: 'marketplace' }),
      source_url: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2_000 })),
    },
    { $id: 'InstallSkill' },
  ),
  reply: Installed,
  errors: [400, 403, 404, 409],
  example: {
    body: { skill_id: 'harbour_gossip' },
    reply: { message: "Skill 'harbour_gossip' installed", installation: exampleInstallation },
  },
});

export const enableSkill = contract('POST /api/agent-skills/tenant/{skill_id}/enable', {
  ...uses,
  name: 'enableSkill',
  summary: 'Enable an installed skill',
  params: SkillParams,
  reply: Installed,
  errors: [400, 404],
  example: {
    params,
    reply: { message: "Skill 'harbour_gossip' enabled", installation: exampleInstallation },
  },
});

export const disableSkill = contract('POST /api/agent-skills/tenant/{skill_id}/disable', {
  ...uses,
  name: 'disableSkill',
  summary: 'Disable an installed skill',
  description: 'It stays installed. A project file with the same id is left out of prompts as well.',
  params: SkillParams,
  reply: Installed,
  errors: [400, 404],
  example: {
    params,
    reply: {
      message: "Skill 'harbour_gossip' disabled",
      installation: { ...exampleInstallation, enabled: false },
    },
  },
});

export const uninstallSkill = contract('DELETE /api/agent-skills/tenant/{skill_id}', {
  ...uses,
  name: 'uninstallSkill',
  summary: 'Uninstall a skill',
  params: SkillParams,
  reply: Message,
  errors: [400, 404],
  example: { params, reply: { message: "Skill 'harbour_gossip' uninstalled" } },
});
