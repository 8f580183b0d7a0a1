import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import type { Severity as RuleSeverity } from '../../../content/findings/index.ts';
import { contract } from '../../../kit/contract.ts';
import { closed, named } from '../../../kit/schemas.ts';

const Severity = Type.Unsafe<RuleSeverity>({ enum: ['error', 'warning', 'info'] });
const Names = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1_000 });
const RuleSeverities = Type.Record(Type.String({ maxLength: 200 }), Severity, { maxProperties: 1_000 });

const RuleSettings = named('RuleSettings', {
  enabled: Type.Boolean({ description: 'False: no rule runs' }),
  severities: Type.Object(
    { critical: Severity, high: Severity, medium: Severity, low: Severity },
    { description: 'What a priority means where a rule gives no severity' },
  ),
  disabled_files: Type.Array(Type.String(), { description: 'Such as `character` or `content`' }),
  disabled_rules: Type.Array(Type.String(), { description: 'Such as `character/has_want`' }),
  rule_severities: Type.Record(Type.String(), Severity),
});

const example = {
  enabled: true,
  severities: { critical: 'error', high: 'error', medium: 'warning', low: 'info' } as const,
  disabled_files: [],
  disabled_rules: ['character/has_want'],
  rule_severities: { 'content/has_summary': 'info' as const },
};

export const getRuleSettings = contract('GET /api/rules/settings', {
  name: 'getRuleSettings',
  auth: 'none',
  project: true,
  tag: 'Rules',
  summary: 'Switches and severities of the project’s rules',
  description: 'They stand in the file `_Rules/settings.md`.',
  reply: RuleSettings,
  example: { reply: example },
});

export const updateRuleSettings = contract('PUT /api/rules/settings', {
  name: 'updateRuleSettings',
  auth: 'bearer',
  role: PERMISSIONS.manage_rules,
  project: true,
  tag: 'Rules',
  summary: 'Switch rules on and off, or change their severities',
  description: 'What is left out stays as it is.',
  body: closed(
    {
      enabled: Type.Optional(Type.Boolean()),
      severities: Type.Optional(
        Type.Partial(closed({ critical: Severity, high: Severity, medium: Severity, low: Severity })),
      ),
      disabled_files: Type.Optional(Names),
      disabled_rules: Type.Optional(Names),
      rule_severities: Type.Optional(RuleSeverities),
    },
    { minProperties: 1, $id: 'UpdateRuleSettings' },
  ),
  reply: RuleSettings,
  errors: [409, 412],
  example: { body: { disabled_rules: ['character/has_want'] }, reply: example },
});
