import { Type } from 'typebox';
import type { Severity } from '../../content/findings/index.ts';
import { contract, MEMORY, optionalBody } from '../../kit/contract.ts';
import {
  closed,
  NullableInteger,
  NullableNumber,
  NullableText,
  named,
  nullableText,
  Text,
} from '../../kit/schemas.ts';
import {
  Evidence as CanonEvidence,
  exampleFinding as exampleContradiction,
} from '../canon/canon.contract.ts';
import { draftProperties, LARGE_BODY } from '../entities/entities.contract.ts';

const findingProperties = {
  rule_id: Type.String({ description: 'The rule’s id; `template.<code>` for what the template asks' }),
  entity_type: Text,
  entity_id: Text,
  field: nullableText('Dotted path'),
  severity: Type.Unsafe<Severity>({ enum: ['error', 'warning', 'info'] }),
  message: Text,
  value: Type.Unknown({ description: 'What stands there, cut short' }),
  file: Text,
  line: NullableInteger,
};
const Finding = named('Finding', findingProperties);

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

const DraftFinding = named('DraftFinding', {
  ...findingProperties,
  rule_id: Type.String({
    description:
      'The rule’s id; `template.<code>` for what the template asks, of which `template.refused` is a value that no save takes; `canon.<kind>` for a contradiction in story time',
  }),
  finding_id: Type.Optional(
    Type.String({ description: 'Of a contradiction, as in `GET /api/canon/findings`' }),
  ),
  evidence: Type.Optional(Type.Array(CanonEvidence, { description: 'Both sides of a contradiction' })),
});

export const validateDraft = contract('POST /api/validation/draft', {
  name: 'validateDraft',
  memory: MEMORY.ofTexts,
  auth: 'bearer',
  project: true,
  tag: 'Validation',
  summary: 'Check a change before it is saved',
  description:
    'What template, rules and canon say of the entity as a save would store it: over an entity that exists only what is given changes, as with `PUT`; otherwise it is a new one, as with `POST`, and needs a name. Lines are those of the file that would be written. Contradictions are found among what refers to the entity, what it refers to, and what is near that, up to 400 entities; accepted ones are left out. A field whose value no save takes is a finding, and the rest is checked with the field as it was; everything else that a save refuses is refused alike. Nothing is written.',
  body: closed(
    {
      entity_type: Type.String({ maxLength: 100 }),
      entity_id: Type.Optional(
        Type.String({ maxLength: 100, description: 'Made of the name for a new entity, unless given' }),
      ),
      ...draftProperties,
    },
    { $id: 'ValidateDraft' },
  ),
  bodyLimit: LARGE_BODY,
  reply: Type.Object({
    entity_type: Text,
    entity_id: Text,
    is_valid: Type.Boolean({ description: 'Whether template and rules have no error' }),
    findings: Type.Array(DraftFinding, { description: 'The gravest first, at most 500' }),
    findings_total: Type.Integer(),
  }),
  errors: [404, 409, 413],
  example: {
    body: { entity_type: 'event', entity_id: 'siege', fields: { participants: ['bo', 'ada_vale'] } },
    reply: {
      entity_type: 'event',
      entity_id: 'siege',
      is_valid: true,
      findings: [
        {
          rule_id: `canon.${exampleContradiction.kind}`,
          entity_type: 'event',
          entity_id: 'siege',
          field: 'participants.1',
          severity: exampleContradiction.severity,
          message: exampleContradiction.message,
          value: 'ada_vale',
          file: 'Events/siege/EVT_siege.md',
          line: 14,
          finding_id: exampleContradiction.finding_id,
          evidence: exampleContradiction.evidence,
        },
      ],
      findings_total: 1,
    },
  },
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
