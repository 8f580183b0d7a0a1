import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import type { Severity as RuleSeverity } from '../../../content/findings/index.ts';
import { contract } from '../../../kit/contract.ts';
import { NullableNumber, NullableText, named, nullableText, Text } from '../../../kit/schemas.ts';
import { DefinitionProblem } from '../templates/templates.contract.ts';

const Severity = Type.Unsafe<RuleSeverity>({ enum: ['error', 'warning', 'info'] });

const rule = {
  id: Text,
  category: Text,
  priority: Text,
  severity: Severity,
  validation_type: NullableText,
  applies_to: Type.Array(Text, { description: 'Fields or entity types' }),
  field: NullableText,
  description: Text,
  message: NullableText,
  min: NullableNumber,
  max: NullableNumber,
  min_count: NullableNumber,
  pattern: NullableText,
  reference_type: NullableText,
  expression: NullableText,
  enabled: Type.Boolean({ description: 'As the file, the rule and the settings say together' }),
  executable: Type.Boolean({
    description: 'False for advisory rules: people and AI read them, no machine runs them',
  }),
  reason: nullableText('Why it is advisory'),
};

const Rule = Type.Object(
  {
    ...rule,
    check: Type.Record(Type.String(), Type.Unknown(), { description: 'What is run, with its bounds' }),
    line: Type.Integer({ description: 'Where it stands in its file, from 1' }),
  },
  {
    $id: 'Rule',
    description:
      'Keys of the file that are not named here stand in it too. `executable`, `reason`, `check` and `line` are never written: a rule that was read can be sent back as it is',
  },
);

const summary = {
  name: Type.String({ description: 'The file’s name without its ending' }),
  key: Text,
  entity_type: nullableText('Null: all types'),
  path: Text,
  checksum: Text,
  enabled: Type.Boolean(),
};

const RuleFileSummary = Type.Object({
  ...summary,
  rules: Type.Integer(),
  advisory: Type.Integer({ description: 'How many of them no machine runs' }),
});

export const RuleFile = named('RuleFile', {
  ...summary,
  system_prompt: Text,
  rules: Type.Array(Rule),
  markdown_body: Text,
  is_valid: Type.Boolean({
    description: 'False when the file cannot be read now; its last good rules are shown',
  }),
  problems: Type.Array(DefinitionProblem),
});

export const RuleParams = Type.Object({
  type: Type.String({
    maxLength: 100,
    description: 'The type, `content`, `story` …, `CHARACTER_RULES` or `CHARACTER_RULES.md`',
  }),
});

const exampleSummary = {
  name: 'CHARACTER_RULES',
  key: 'character',
  entity_type: 'character',
  path: '_Rules/CHARACTER_RULES.md',
  checksum: 'sha256:70fe…',
  enabled: true,
};
const exampleRule = {
  id: 'has_want',
  category: 'validation',
  priority: 'high',
  severity: 'error' as const,
  validation_type: 'required_field',
  applies_to: ['want'],
  field: null,
  description: 'Without a want there is no scene',
  message: null,
  min: null,
  max: null,
  min_count: null,
  pattern: null,
  reference_type: null,
  expression: null,
  enabled: true,
  executable: true,
  reason: null,
};
export const exampleRuleFile = {
  ...exampleSummary,
  system_prompt: 'Write a person, not a list of traits.',
  rules: [{ ...exampleRule, check: { kind: 'required_field' }, line: 4 }],
  markdown_body: '# Character rules\n',
  is_valid: true,
  problems: [],
};

const reads = { auth: 'none', project: true, tag: 'Rules' } as const;

export const listRuleFiles = contract('GET /api/rules', {
  name: 'listRules',
  ...reads,
  summary: 'List rule files',
  description: '`problems` names what is wrong in them, with its line.',
  reply: Type.Object({ files: Type.Array(RuleFileSummary), problems: Type.Array(DefinitionProblem) }),
  example: { reply: { files: [{ ...exampleSummary, rules: 6, advisory: 2 }], problems: [] } },
});

export const getRulesIndex = contract('GET /api/rules/index', {
  name: 'getRulesIndex',
  ...reads,
  summary: 'All rules, and the types that each applies to',
  reply: Type.Object({
    total: Type.Integer(),
    executable: Type.Integer(),
    advisory: Type.Integer(),
    rules: Type.Array(
      Type.Object({
        ...rule,
        file: Text,
        entity_types: Type.Array(Text, { description: 'Where it is in force; none: it is switched off' }),
      }),
    ),
  }),
  example: {
    reply: {
      total: 1,
      executable: 1,
      advisory: 0,
      rules: [{ ...exampleRule, file: 'CHARACTER_RULES', entity_types: ['character'] }],
    },
  },
});

export const reloadRules = contract('POST /api/rules/reload', {
  name: 'reloadRules',
  auth: 'bearer',
  role: PERMISSIONS.manage_rules,
  project: true,
  tag: 'Rules',
  summary: 'Read the rule files from disk again',
  reply: Type.Object({
    files: Type.Integer(),
    rules: Type.Integer(),
    changed_types: Type.Array(Text, { description: 'Types whose entities are looked at anew' }),
    problems: Type.Array(DefinitionProblem),
    duration_ms: Type.Number(),
  }),
  example: { reply: { files: 16, rules: 92, changed_types: ['character'], problems: [], duration_ms: 14 } },
});

export const getRules = contract('GET /api/rules/{type}', {
  name: 'getRules',
  ...reads,
  summary: 'Read one file’s rules',
  params: RuleParams,
  reply: RuleFile,
  errors: [404],
  example: { params: { type: 'character' }, reply: exampleRuleFile },
});

export const RuleMarkdown = Type.Object({
  name: Text,
  path: Text,
  content: Type.String({ description: 'The file’s whole text' }),
  checksum: Text,
});
export const exampleMarkdown = {
  name: 'CHARACTER_RULES',
  path: '_Rules/CHARACTER_RULES.md',
  content: '---\nrules:\n  - id: has_want\n    validation_type: required_field\n    applies_to: want\n---\n',
  checksum: 'sha256:70fe…',
};

export const getRulesMarkdown = contract('GET /api/rules/{type}/markdown', {
  name: 'getRulesMarkdown',
  ...reads,
  summary: 'Read a rule file’s text',
  description: 'Byte for byte as it is on disk. The `ETag` can be sent back as `If-Match`.',
  params: RuleParams,
  reply: RuleMarkdown,
  errors: [404],
  example: { params: { type: 'character' }, reply: exampleMarkdown },
});
