import { Type } from 'typebox';
import type { Severity } from '../../content/findings/index.ts';
import { contract, MEMORY, optionalBody } from '../../kit/contract.ts';
import {
  NullableInteger,
  NullableNumber,
  NullableText,
  named,
  nullableText,
  Text,
} from '../../kit/schemas.ts';

const Finding = named('Finding', {
  rule_id: Type.String({ description: 'The rule’s id; `template.<code>` for what the template asks' }),
  entity_type: Text,
  entity_id: Text,
  field: nullableText('Dotted path'),
  severity: Type.Unsafe<Severity>({ enum: ['error', 'warning', 'info'] }),
  message: Text,
  value: Type.Unknown({ description: 'What stands there, cut short' }),
  file: Text,
  line: NullableInteger,
});

const report = {
  entity_type: Type.String({ description: 'The type, or `all`' }),
  checked: Type.Integer(),
  valid: Type.Integer({ description: 'Entities without an error' }),
  findings: Type.Array(Finding, { description: 'The gravest first, at most 1,000' }),
  findings_total: Type.Integer(),
  counts: Type.Object({ error: Type.Integer(), warning: Type.Integer(), info: Type.Integer() }),
  by_rule: Type.Array(
    Type.Object({
      rule_id: Text,
      severity: Type.Unsafe<Severity>({ enum: ['error', 'warning', 'info'] }),
      findings: Type.Integer(),
    }),
    { description: 'How often each rule is broken: the gravest first, and of these the most frequent' },
  ),
  truncated: Type.Boolean(),
  advisory: Type.Array(Type.Object({ rule_id: Text, description: Text, reason: Text, file: Text }), {
    description: 'Rules that no machine runs: neither broken nor passed',
  }),
};

const ValidationReport = named('ValidationReport', report);
const ValidationRun = named('ValidationRun', {
  run_id: NullableText,
  status: Type.Enum(['idle', 'running', 'completed', 'failed']),
  done: Type.Integer(),
  total: Type.Integer(),
  started_at: NullableText,
  finished_at: NullableText,
  duration_ms: NullableNumber,
  error: NullableText,
  ...report,
});

const Errors = Type.Optional(
  Type.Boolean({
    description: 'Findings of severity `error` alone; `counts` and `by_rule` tell of the others',
  }),
);

const exampleReport = {
  entity_type: 'character',
  checked: 1,
  valid: 0,
  findings: [
    {
      rule_id: 'born_before_dying',
      entity_type: 'character',
      entity_id: 'mira_vale',
      field: 'death_year',
      severity: 'error' as const,
      message: 'Nobody dies before they are born.',
      value: 390,
      file: 'Characters/mira_vale/CH_mira_vale.md',
      line: 17,
    },
  ],
  findings_total: 1,
  counts: { error: 1, warning: 0, info: 0 },
  by_rule: [{ rule_id: 'born_before_dying', severity: 'error' as const, findings: 1 }],
  truncated: false,
  advisory: [
    {
      rule_id: 'contradiction',
      description: 'The summary holds a contradiction.',
      reason: 'it names no check: people and AI read it',
      file: '_Rules/CHARACTER_RULES.md',
    },
  ],
};
const exampleRun = {
  run_id: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  status: 'completed' as const,
  done: 44,
  total: 44,
  started_at: '2026-03-02T10:15:00.000Z',
  finished_at: '2026-03-02T10:15:00.120Z',
  duration_ms: 120,
  error: null,
  ...exampleReport,
  entity_type: 'all',
};

export const validateType = contract('POST /api/rules/validate/{type}', {
  name: 'validateRules',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  project: true,
  tag: 'Validation',
  summary: 'Check the entities of a type, or one of them',
  description:
    'Against all rules that apply and the template. A rule file for all types, such as `content`, is checked over all entities by itself.',
  params: Type.Object({ type: Type.String({ maxLength: 100 }) }),
  body: optionalBody({ entity_id: Type.Optional(Type.String({ maxLength: 200 })), errors: Errors }),
  reply: ValidationReport,
  errors: [404],
  example: { params: { type: 'character' }, body: { entity_id: 'mira_vale' }, reply: exampleReport },
});

export const validateAll = contract('POST /api/entity/validate/all', {
  name: 'validateAll',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  project: true,
  tag: 'Validation',
  summary: 'Check all entities',
  description:
    'Only one run at a time: a request during a run gets that run. The reply comes when the run ends, after 20 seconds at the latest; `wait: false` has it at once, and `GET /api/validation/status` tells the rest.',
  body: optionalBody({ wait: Type.Optional(Type.Boolean()), errors: Errors }),
  reply: ValidationRun,
  example: { body: { wait: true }, reply: exampleRun },
});

export const validationStatus = contract('GET /api/validation/status', {
  name: 'validationStatus',
  auth: 'bearer',
  project: true,
  tag: 'Validation',
  summary: 'The running check of all entities, or the last one’s findings',
  query: Type.Object({ errors: Errors }),
  reply: ValidationRun,
  example: { reply: exampleRun },
});
