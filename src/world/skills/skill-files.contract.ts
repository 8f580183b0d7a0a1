import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { SKILL_TIERS } from '../../content/skills/index.ts';
import { binaryReply, contract } from '../../kit/contract.ts';
import { Count, closed, NullableText, named, oneOf, Text } from '../../kit/schemas.ts';
import { DefinitionProblem } from '../definitions/templates/templates.contract.ts';

const MB = 1024 * 1024;
/** Of a `SKILL.md` with the files beside it. */
export const LARGEST_SKILL_ARCHIVE = 4 * MB;

const Texts = Type.Array(Text);
const Parameters = Type.Record(Type.String(), Type.Unknown());

const summary = {
  skill_id: Text,
  name: Text,
  description: Text,
  version: Text,
  category: NullableText,
  tags: Texts,
  capabilities: Texts,
  applies_to: { ...Texts, description: 'Entity types and kinds of documents; none means all' },
  min_tier: oneOf(SKILL_TIERS),
  enabled: Type.Boolean(),
};
const prompts = { system: Text, task: Text, output_format: Text, examples: Text, user: Text };

const SkillFileSummary = named('SkillFileSummary', { ...summary, path: Text, checksum: Text });

const SkillFile = named('SkillFile', {
  skill_id: Text,
  path: Text,
  checksum: Text,
  format: oneOf(['yaml', 'markdown']),
  content: { ...Text, description: 'The text of the file' },
  is_valid: Type.Boolean({ description: 'False if it cannot be read: `skill` is then its last good state' }),
  problems: Type.Array(DefinitionProblem),
  files: Type.Array(Type.Object({ path: Text, size: Count }), {
    description: 'Files beside a `SKILL.md`, by their paths in its folder',
  }),
  skill: Type.Union([
    Type.Object({
      ...summary,
      prompts: Type.Object(prompts),
      rules: Texts,
      workflows: Texts,
      parameters: Parameters,
    }),
    Type.Null(),
  ]),
});
export type SkillFileReply = Static<typeof SkillFile>;
export type SkillFileSummaryReply = Static<typeof SkillFileSummary>;

const SomeText = (maxLength: number) => Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength });
const Words = Type.Optional(
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', maxLength: 1_000 },
    maxItems: 100,
  }),
);
const PromptText = Type.Optional(SomeText(200_000));

const SkillFileBody = closed(
  {
    content: Type.Optional(
      Type.String({
        description: 'The whole text, instead of single keys; the only way to change a `SKILL.md`',
      }),
    ),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    description: Type.Optional(SomeText(5_000)),
    version: Type.Optional(SomeText(50)),
    category: Type.Optional(SomeText(100)),
    tags: Words,
    capabilities: Words,
    applies_to: Words,
    min_tier: Type.Optional(oneOf(SKILL_TIERS)),
    enabled: Type.Optional(Type.Boolean()),
    prompts: Type.Optional(
      closed({
        system: PromptText,
        task: PromptText,
        output_format: PromptText,
        examples: PromptText,
        user: PromptText,
      }),
    ),
    rules: Words,
    workflows: Words,
    parameters: Type.Optional(Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] })),
    overwrite: Type.Optional(Type.Boolean({ description: 'Replace a file that cannot be read' })),
  },
  { $id: 'UpdateSkillFile' },
);
export type SkillFileWrite = Static<typeof SkillFileBody>;

const SkillFileParams = Type.Object({
  skill_id: Type.String({ description: 'The file name if the id cannot be read' }),
});

const exampleContent =
  'skill_id: harbour_gossip\nname: Harbour gossip\napplies_to: [location, event]\nprompts:\n  system: You collect what people say at the quay.\n';
const exampleSummary = {
  skill_id: 'harbour_gossip',
  name: 'Harbour gossip',
  description: '',
  version: '1.0',
  category: null,
  tags: [],
  capabilities: [],
  applies_to: ['location', 'event'],
  min_tier: 'free' as const,
  enabled: true,
};
const exampleFile: SkillFileReply = {
  skill_id: 'harbour_gossip',
  path: '_Skills/User/harbour_gossip.yml',
  checksum: `sha256:${'4f'.repeat(32)}`,
  format: 'yaml',
  content: exampleContent,
  is_valid: true,
  problems: [],
  files: [],
  skill: {
    ...exampleSummary,
    prompts: {
      system: 'You collect what people say at the quay.',
      task: '',
      output_format: '',
      examples: '',
      user: '',
    },
    rules: [],
    workflows: [],
    parameters: {},
  },
};
const params = { skill_id: 'harbour_gossip' };

const reads = { auth: 'bearer', project: true, tag: 'Skill files' } as const;
const manages = { ...reads, role: PERMISSIONS.manage_rules } as const;

export const listSkillFiles = contract('GET /api/skill-files', {
  ...reads,
  name: 'listSkillFiles',
  summary: 'List the skills in the project’s files',
  description:
    'From `_Skills` and its folders `Standard`, `User` and `Custom`. If several files have the same id, only the one in force is listed. `problems` has the faults.',
  reply: Type.Object({ skills: Type.Array(SkillFileSummary), problems: Type.Array(DefinitionProblem) }),
  example: {
    reply: {
      skills: [{ ...exampleSummary, path: exampleFile.path, checksum: exampleFile.checksum }],
      problems: [],
    },
  },
});

export const getSkillFile = contract('GET /api/skill-files/{skill_id}', {
  ...reads,
  name: 'getSkillFile',
  summary: 'A skill’s file',
  params: SkillFileParams,
  reply: SkillFile,
  errors: [404],
  example: { params, reply: exampleFile },
});

export const updateSkillFile = contract('PUT /api/skill-files/{skill_id}', {
  ...manages,
  name: 'updateSkillFile',
  summary: 'Change or create a skill’s file',
  description:
    'Only the given keys change, and null removes one: every other line stays as it is. A new skill is created in `_Skills/User`.',
  params: SkillFileParams,
  body: SkillFileBody,
  reply: SkillFile,
  errors: [400, 409, 412],
  example: {
    params,
    body: { name: 'Harbour gossip', prompts: { system: 'You collect what people say at the quay.' } },
    reply: exampleFile,
  },
});

export const deleteSkillFile = contract('DELETE /api/skill-files/{skill_id}', {
  ...manages,
  name: 'deleteSkillFile',
  summary: 'Move a skill’s file to the recycle bin',
  description:
    'A `SKILL.md` goes with its folder. A file of the same id in an earlier folder is in force again.',
  params: SkillFileParams,
  reply: Type.Object({ message: Text }),
  errors: [404, 412],
  example: { params, reply: { message: '_Skills/User/harbour_gossip.yml was moved to the recycle bin' } },
});

export const importSkillFile = contract('POST /api/skill-files/import', {
  ...manages,
  name: 'importSkillFile',
  summary: 'Import a skill: a SKILL.md, a zip of its folder, or a YAML file',
  description:
    'The files are stored as they are, in `_Skills/User`; nothing in them is run. The archive has one `SKILL.md` (agentskills.io).',
  body: closed({
    overwrite: Type.Optional(
      Type.Boolean({ default: false, description: 'A file with the same id goes to the recycle bin' }),
    ),
  }),
  files: {
    file: { description: '`SKILL.md`, `.zip`, `.yml` or `.yaml`', maxBytes: LARGEST_SKILL_ARCHIVE },
  },
  memory: 0,
  reply: SkillFile,
  status: 201,
  errors: [409, 413],
  example: { body: {}, reply: exampleFile },
});

export const getSkillMarkdown = contract('GET /api/skill-files/{skill_id}/markdown', {
  ...reads,
  name: 'getSkillMarkdown',
  summary: 'A skill as SKILL.md',
  params: SkillFileParams,
  reply: Type.Object({ skill_id: Text, name: Text, content: Text }),
  errors: [404],
  example: {
    params,
    reply: {
      skill_id: 'harbour_gossip',
      name: 'harbour-gossip',
      content: '---\nname: harbour-gossip\n---\n',
    },
  },
});

export const exportSkillFile = contract('GET /api/skill-files/{skill_id}/export', {
  ...reads,
  name: 'exportSkillFile',
  summary: 'A skill as a zip of its folder: SKILL.md and the files beside it',
  params: SkillFileParams,
  reply: binaryReply,
  replyType: 'application/zip',
  errors: [404],
  example: { params },
});
