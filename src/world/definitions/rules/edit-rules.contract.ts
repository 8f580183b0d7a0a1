import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract } from '../../../kit/contract.ts';
import { closed } from '../../../kit/schemas.ts';
import { exampleMarkdown, exampleRuleFile, RuleFile, RuleMarkdown, RuleParams } from './rules.contract.ts';

const manages = { auth: 'bearer', role: PERMISSIONS.manage_rules, project: true, tag: 'Rules' } as const;

const RuleIdParams = Type.Object({
  ...RuleParams.properties,
  rule_id: Type.String({ maxLength: 200 }),
});

const RuleInput = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  $id: 'RuleInput',
  description:
    'The keys of spec 1 §2.3: `id`, `category`, `priority`, `validation_type`, `applies_to`, `description`, `min`, `max`, `min_count`, beside them `pattern`, `reference_type`, `expression`, `severity`, `message`, `enabled`. Others are kept.',
});

const exampleRule = {
  id: 'height_is_human',
  category: 'validation',
  priority: 'medium',
  validation_type: 'range',
  applies_to: 'height_cm',
  description: 'Heights are in centimetres',
  min: 40,
  max: 250,
};
const params = { type: 'character' };
const reply = exampleRuleFile;

export const updateRulesMarkdown = contract('PUT /api/rules/{type}/markdown', {
  name: 'updateRulesMarkdown',
  ...manages,
  summary: 'Replace a rule file’s text',
  description:
    'Written byte for byte. A text that is no rule file, a pattern outside RE2 and an expression that cannot run are refused with their line. The old text goes to the file’s revisions.',
  params: RuleParams,
  body: closed(
    {
      content: Type.String(),
      overwrite: Type.Optional(Type.Boolean({ description: 'Replace a file that cannot be read' })),
    },
    { $id: 'UpdateRulesMarkdown' },
  ),
  reply: RuleMarkdown,
  errors: [404, 409, 412],
  bodyLimit: 4 * 1024 * 1024,
  example: { params, body: { content: exampleMarkdown.content }, reply: exampleMarkdown },
});

export const updateSystemPrompt = contract('PUT /api/rules/{type}/system-prompt', {
  name: 'updateRulesSystemPrompt',
  ...manages,
  summary: 'Change what a rule file tells the AI',
  params: RuleParams,
  body: closed({ system_prompt: Type.String({ maxLength: 100_000 }) }, { $id: 'UpdateSystemPrompt' }),
  reply: RuleFile,
  errors: [404, 409, 412],
  example: { params, body: { system_prompt: 'Write a person, not a list of traits.' }, reply },
});

export const addRule = contract('POST /api/rules/{type}', {
  name: 'addRule',
  ...manages,
  summary: 'Add a rule',
  description:
    'To the end of the file’s list; the file is made where there is none. 409 for an id that is taken.',
  status: 201,
  params: RuleParams,
  body: RuleInput,
  reply: RuleFile,
  errors: [404, 409, 412],
  example: { params, body: exampleRule, reply },
});

export const updateRule = contract('PUT /api/rules/{type}/{rule_id}', {
  name: 'updateRule',
  ...manages,
  summary: 'Change a rule',
  description: 'Keys that are left out stay, null takes a key away. Only the rule’s own lines are rewritten.',
  params: RuleIdParams,
  body: RuleInput,
  reply: RuleFile,
  errors: [404, 409, 412],
  example: { params: { ...params, rule_id: 'height_is_human' }, body: { max: 230 }, reply },
});

export const deleteRule = contract('DELETE /api/rules/{type}/{rule_id}', {
  name: 'deleteRule',
  ...manages,
  summary: 'Take a rule away',
  params: RuleIdParams,
  reply: RuleFile,
  errors: [404, 409, 412],
  example: { params: { ...params, rule_id: 'height_is_human' }, reply },
});
