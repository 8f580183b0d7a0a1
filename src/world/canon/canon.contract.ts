import { type TProperties, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { FINDING_KINDS, type FindingKind } from '../../content/canon/index.ts';
import { contract, MEMORY, optionalBody } from '../../kit/contract.ts';
import {
  Count,
  closed,
  NullableInteger,
  NullableText,
  named,
  nullableInteger,
  nullableText,
  Text,
} from '../../kit/schemas.ts';

const Line = nullableInteger('Counted from 1; null where the file cannot be read');
const Kind = Type.Unsafe<FindingKind>({ type: 'string', enum: Object.keys(FINDING_KINDS) });
const PAGE = { default: 50, most: 500 };
const limitOf = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE.most, default: PAGE.default, description }));

export const Evidence = named('CanonEvidence', {
  entity_type: Text,
  entity_id: Text,
  name: Text,
  field: Type.String({ description: 'Dotted path' }),
  value: Type.Unknown({ description: 'As the file has it, long texts cut' }),
  file: Text,
  line: Line,
});

const Finding = named('CanonFinding', {
  finding_id: Type.String({ description: 'Stays the same while entities and fields do' }),
  kind: Kind,
  severity: Type.Enum(['error', 'warning', 'info']),
  message: Text,
  evidence: Type.Array(Evidence, { description: 'Both sides; a date that cannot be read has one' }),
  reason: nullableText('Why it was accepted; null while it is open'),
});

const Problem = Type.Object({ file: Text, message: Text, line: Line });

const Report = named('CanonReport', {
  status: Type.Enum(['none', 'running', 'done', 'failed'], {
    description: '`none`: nothing was checked since the service started',
  }),
  progress: Type.Union([Type.Object({ done: Count, total: Count }), Type.Null()]),
  error: NullableText,
  started_at: NullableText,
  finished_at: NullableText,
  duration_ms: NullableInteger,
  entities: Type.Integer({ minimum: 0, description: 'Looked at; archived ones are not' }),
  stale: Type.Boolean({ description: 'Content, templates or calendar changed since' }),
  calendar: Text,
  kinds: Type.Array(
    Type.Object({
      kind: Kind,
      label: Text,
      enabled: Type.Boolean(),
      reason: NullableText,
      open: Count,
      accepted: Count,
    }),
  ),
  open: Count,
  accepted: Count,
  omitted: Type.Integer({ minimum: 0, description: 'Findings beyond the first 2,000 of each kind' }),
  problems: Type.Array(Problem, {
    description: 'What in settings and templates was not understood, the first 100',
  }),
  findings: Type.Array(Finding),
  total: Type.Integer({ minimum: 0, description: 'Findings that fit what was asked for' }),
  limit: Count,
  offset: Count,
});

export const exampleFinding = {
  finding_id: '9f2c4e0a6b1d7385',
  kind: 'after_end' as const,
  severity: 'error' as const,
  message: 'The Siege (0410-03-04) involves Ada Vale, who died in 401',
  evidence: [
    {
      entity_type: 'event',
      entity_id: 'siege',
      name: 'The Siege',
      field: 'participants.1',
      value: 'ada_vale',
      file: 'Events/siege/EVT_siege.md',
      line: 14,
    },
    {
      entity_type: 'character',
      entity_id: 'ada_vale',
      name: 'Ada Vale',
      field: 'death_year',
      value: 401,
      file: 'Characters/ada_vale/CH_ada_vale.md',
      line: 9,
    },
  ],
  reason: null,
};

const exampleReport = {
  status: 'done' as const,
  progress: null,
  error: null,
  started_at: '2026-03-02T10:15:00.000Z',
  finished_at: '2026-03-02T10:15:00.310Z',
  duration_ms: 310,
  entities: 41,
  stale: false,
  calendar: 'Gregorian',
  kinds: [
    {
      kind: 'after_end' as const,
      label: FINDING_KINDS.after_end,
      enabled: true,
      reason: null,
      open: 1,
      accepted: 0,
    },
  ],
  open: 1,
  accepted: 0,
  omitted: 0,
  problems: [],
  findings: [exampleFinding],
  total: 1,
  limit: PAGE.default,
  offset: 0,
};

const shared = { auth: 'bearer', project: true, tag: 'Canon' } as const;

export const checkCanonRoute = contract('POST /api/canon/check', {
  name: 'checkCanon',
  memory: MEMORY.ofProject,
  ...shared,
  summary: 'Look for contradictions in story time',
  description:
    'Reads the whole project and changes nothing. Only one check runs at a time; a request during a check gets that check. A check that takes longer than 20 seconds goes on in the background (`status` is `running`).',
  body: optionalBody({
    wait: Type.Optional(Type.Boolean({ default: true, description: 'False: answer at once' })),
    limit: limitOf('How many findings come along'),
  }),
  reply: Report,
  example: { body: { wait: true }, reply: exampleReport },
});

export const canonFindings = contract('GET /api/canon/findings', {
  name: 'canonFindings',
  ...shared,
  summary: 'What the last check found, worst first',
  query: Type.Object({
    kind: Type.Optional(Kind),
    entity: Type.Optional(
      Type.String({
        pattern: '^[^/]{1,64}/[^/]{1,200}$',
        description: '`type/id`: findings with this entity on either side',
      }),
    ),
    accepted: Type.Optional(
      Type.Enum(['true', 'false'], { description: 'Those that were accepted, instead of the open ones' }),
    ),
    limit: limitOf('Findings a page'),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  }),
  reply: Report,
  example: { query: { kind: 'after_end', entity: 'character/ada_vale' }, reply: exampleReport },
});

const FindingId = Type.String({ pattern: '^[0-9a-f]{16}$' });
const Reason = Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' });

const Acceptance = named('CanonAcceptance', {
  finding_id: Text,
  reason: nullableText('Why it was accepted; null while it is open'),
  open: Type.Integer({ minimum: 0, description: 'Findings of the last check that are open now' }),
  accepted: Type.Integer({ minimum: 0, description: 'Those that are accepted now' }),
});

const ofFinding = {
  ...shared,
  role: PERMISSIONS.manage_settings,
  params: Type.Object({ finding_id: FindingId }),
  reply: Acceptance,
} as const;
const exampleOf = { params: { finding_id: exampleFinding.finding_id } };

export const acceptCanonFinding = contract('POST /api/canon/findings/{finding_id}/accept', {
  ...ofFinding,
  name: 'acceptCanonFinding',
  summary: 'Accept a finding as it is meant',
  description:
    'Adds it to `accepted` in `_Rules/canon.md`, where no other line changes; for one that is accepted already it changes the reason. `GET /api/canon/findings` shows it as accepted at once. Many at a time need no `If-Match`. The finding need not be of the last check: `POST /api/validation/draft` names some before they are saved.',
  body: closed({ reason: Reason }, { $id: 'AcceptCanonFinding' }),
  errors: [409, 413],
  example: {
    ...exampleOf,
    body: { reason: 'She is a ghost by then' },
    reply: { finding_id: exampleFinding.finding_id, reason: 'She is a ghost by then', open: 0, accepted: 1 },
  },
});

export const reopenCanonFinding = contract('DELETE /api/canon/findings/{finding_id}/accept', {
  ...ofFinding,
  name: 'reopenCanonFinding',
  summary: 'No longer accept a finding',
  description: 'Takes it out of `accepted` in `_Rules/canon.md`, where no other line changes.',
  errors: [404, 409],
  example: {
    ...exampleOf,
    reply: { finding_id: exampleFinding.finding_id, reason: null, open: 1, accepted: 0 },
  },
});

const kindSettings: TProperties = Object.fromEntries(
  Object.entries(FINDING_KINDS).map(([kind, description]) => [
    kind,
    Type.Optional(
      Type.Object(
        { enabled: Type.Boolean(), reason: Type.Optional(Type.String({ maxLength: 2_000 })) },
        { description },
      ),
    ),
  ]),
);

type KindSettings = Record<string, { enabled: boolean; reason?: string }>;

const Settings = named('CanonSettings', {
  path: Type.String({ description: 'The file that holds them, and travels with the world' }),
  calendar: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    description: 'As declared; null: the real calendar',
  }),
  checks: Type.Unsafe<KindSettings>(Type.Object(kindSettings)),
  accepted: Type.Array(Type.Object({ finding_id: Text, reason: Text })),
  problems: Type.Array(Problem),
});

const exampleCalendar = {
  name: 'Count of Ash',
  eras: [{ name: 'After the Flood', abbreviation: 'AF' }],
  months: [
    { name: 'Thaw', days: 120 },
    { name: 'Harvest', days: 120 },
    { name: 'Frost', days: 125 },
  ],
  leap: 'none',
};
const exampleSettings = {
  path: '_Rules/canon.md',
  calendar: exampleCalendar,
  checks: { place_gone: { enabled: false, reason: 'Our stories play in ruins' } },
  accepted: [{ finding_id: exampleFinding.finding_id, reason: 'She is a ghost by then' }],
  problems: [],
};

export const getCanonSettings = contract('GET /api/canon/settings', {
  name: 'getCanonSettings',
  ...shared,
  summary: 'The calendar, and what the check leaves out with which reason',
  reply: Settings,
  example: { reply: exampleSettings },
});

export const putCanonSettings = contract('PUT /api/canon/settings', {
  name: 'putCanonSettings',
  ...shared,
  role: PERMISSIONS.manage_settings,
  summary: 'Change calendar, switches and accepted findings',
  description:
    'Each given key replaces what the file has of it, what is left out stays, and so does every other line of the file. A calendar of null is the real one. `If-Match` with the `ETag` of a GET guards against lost changes. A check that is switched off and a finding that is accepted need a reason.',
  body: closed({
    calendar: Type.Optional(Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] })),
    checks: Type.Optional(Type.Unsafe<KindSettings>(closed(kindSettings))),
    accepted: Type.Optional(
      Type.Array(
        Type.Object({
          finding_id: FindingId,
          reason: Reason,
        }),
        { maxItems: 10_000 },
      ),
    ),
  }),
  reply: Settings,
  errors: [409, 412, 413],
  example: {
    body: { calendar: exampleCalendar, checks: exampleSettings.checks, accepted: exampleSettings.accepted },
    reply: exampleSettings,
  },
});
