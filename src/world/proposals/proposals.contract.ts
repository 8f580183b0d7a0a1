import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY, optionalBody } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { NullableText, named, nullableInteger, nullableText, oneOf, Text } from '../../kit/schemas.ts';

export const PROPOSAL_STATUSES = ['pending', 'partly_accepted', 'accepted', 'rejected', 'undone'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** Each field and each hunk is decided by itself; only `open` ones can be accepted or rejected. */
const PART_STATES = ['open', 'accepted', 'rejected', 'undone'] as const;
export type PartState = (typeof PART_STATES)[number];

const PartStateSchema = oneOf(PART_STATES);
const Severity = oneOf(['error', 'warning', 'info']);

export const Finding = Type.Object({ field: NullableText, severity: Severity, message: Text });

export const CanonFinding = Type.Object({
  finding_id: Text,
  kind: Text,
  severity: Severity,
  message: Text,
  evidence: Type.Array(
    Type.Object({ entity_type: Text, entity_id: Text, name: Text, field: Text, value: Type.Unknown() }),
    { description: 'Every side of the contradiction' },
  ),
});

const Usage = Type.Unsafe<{ inputTokens: number; outputTokens: number } | null>({
  type: ['object', 'null'],
  properties: { inputTokens: { type: 'integer' }, outputTokens: { type: 'integer' } },
});

const summaryProperties = {
  proposal_id: Text,
  change_set_id: nullableText('The change set that it belongs to'),
  entity_type: Text,
  entity_id: Text,
  base_version: nullableInteger('The version that it was made from; null proposes a new entity'),
  status: oneOf(PROPOSAL_STATUSES),
  field_states: Type.Record(Text, PartStateSchema),
  hunk_states: Type.Record(Text, PartStateSchema),
  findings: Type.Array(Finding, { description: 'What types and rules say about the proposed text' }),
  canon_findings: Type.Array(CanonFinding, {
    description: 'Contradictions in story time that it would cause',
  }),
  kind: Type.String({ description: 'How it came about: `generate`, `refine`, `fill`, `chat`, `agent`, …' }),
  provider: NullableText,
  model: NullableText,
  agent: nullableText('For agents: the name of the client'),
  skills: Type.Array(Text),
  prompt_hash: nullableText('SHA-256 of the messages sent'),
  instruction: NullableText,
  sources: Type.Array(Type.Object({ kind: Text, ref: Text, label: Text })),
  usage: Usage,
  credits: Type.Number(),
  parents: Type.Array(Text, { description: 'Proposals that it refines or combines' }),
  created_by: Text,
  created_at: Text,
  updated_at: Text,
};

const ProposalSummarySchema = named('ProposalSummary', summaryProperties);

const proposalProperties = {
  ...summaryProperties,
  fields: Type.Record(
    Text,
    Type.Object({
      before: Type.Unknown({ description: 'In the base version; null if it has no such field' }),
      after: Type.Unknown({ description: 'Null removes the field' }),
      state: PartStateSchema,
    }),
  ),
  markdown_body: Type.Array(
    Type.Object({
      id: Text,
      line: Type.Integer({ description: 'The first line of `before` in the body, from 1' }),
      before: Text,
      after: Text,
      state: PartStateSchema,
    }),
    { description: 'Blocks of lines in the body; empty if the body does not change' },
  ),
};

export const ProposalSchema = named('Proposal', proposalProperties);

const DecidedSchema = Type.Object({
  proposal: ProposalSchema,
  version: nullableInteger('The version of the entity that it made or found; null if it wrote nothing'),
  merged: Type.Boolean({ description: 'Whether the entity had changed since the base version' }),
});

const summaryExample = {
  proposal_id: '3f0c2f0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  change_set_id: null,
  entity_type: 'character',
  entity_id: 'mira_vale',
  base_version: 3,
  status: 'pending' as const,
  field_states: { occupation: 'open' as const },
  hunk_states: { h1: 'open' as const },
  findings: [],
  canon_findings: [],
  kind: 'generate',
  provider: 'installation',
  model: 'llama3.1:8b',
  agent: null,
  skills: ['character_writer'],
  prompt_hash: '9f2c…',
  instruction: 'Give her a trade',
  sources: [{ kind: 'template', ref: '_Templates/Standard/CHARACTER_TEMPLATE.md', label: 'Character' }],
  usage: { inputTokens: 1840, outputTokens: 96 },
  credits: 2,
  parents: [],
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  created_at: '2026-03-02T10:15:00.000Z',
  updated_at: '2026-03-02T10:15:00.000Z',
};

export const proposalExample = {
  ...summaryExample,
  fields: { occupation: { before: null, after: 'Tide reader', state: 'open' as const } },
  markdown_body: [
    { id: 'h1', line: 3, before: '', after: 'She reads the tides of Quay.\n', state: 'open' as const },
  ],
};

const acceptedExample = {
  ...proposalExample,
  status: 'partly_accepted' as const,
  field_states: { occupation: 'accepted' as const },
  fields: { occupation: { before: null, after: 'Tide reader', state: 'accepted' as const } },
};

const shared = { auth: 'bearer', project: true, tag: 'Proposals' } as const;
const params = Type.Object({ id: Text });
const ids = { id: summaryExample.proposal_id };

export const listProposals = contract('GET /api/ai/proposals', {
  ...shared,
  name: 'listProposals',
  summary: 'List proposals, newest first, without their texts',
  query: Type.Object({
    ...pageQuery,
    entity_type: Type.Optional(Text),
    entity_id: Type.Optional(Text),
    status: Type.Optional(oneOf(PROPOSAL_STATUSES)),
    change_set_id: Type.Optional(Text),
  }),
  reply: pageReply({ proposals: Type.Array(ProposalSummarySchema) }),
  example: {
    query: { status: 'pending' },
    reply: { total: 1, offset: 0, limit: 50, proposals: [summaryExample] },
  },
});

export const getProposal = contract('GET /api/ai/proposals/{id}', {
  ...shared,
  name: 'getProposal',
  memory: MEMORY.ofTexts,
  summary: 'A proposal, with every field and block of lines that it would change',
  params,
  reply: ProposalSchema,
  errors: [404],
  example: { params: ids, reply: proposalExample },
});

/** Without either all parts are meant. */
const namedParts = {
  fields: Type.Optional(Type.Array(Text, { maxItems: 1_000 })),
  hunks: Type.Optional(Type.Array(Text, { maxItems: 10_000 })),
};

export const acceptProposal = contract('POST /api/ai/proposals/{id}/accept', {
  ...shared,
  name: 'acceptProposal',
  memory: MEMORY.ofTexts,
  role: PERMISSIONS.edit_entities,
  summary: 'Accept a proposal, or parts of it',
  description:
    'Saves the entity as any edit does, with the source `ai`. If the entity has changed since, both changes are merged; if they overlap, nothing changes and the reply names both sides. Parts that are not named stay open. Accepting again changes nothing.',
  params,
  body: optionalBody(namedParts),
  reply: DecidedSchema,
  errors: [402, 404, 409, 412, 413],
  example: {
    params: ids,
    body: { fields: ['occupation'] },
    reply: { proposal: acceptedExample, version: 4, merged: false },
  },
});

export const rejectProposal = contract('POST /api/ai/proposals/{id}/reject', {
  ...shared,
  name: 'rejectProposal',
  memory: MEMORY.ofTexts,
  role: PERMISSIONS.edit_entities,
  summary: 'Reject the open parts of a proposal',
  params,
  reply: DecidedSchema,
  errors: [404, 409],
  example: {
    params: ids,
    reply: {
      proposal: {
        ...proposalExample,
        status: 'rejected' as const,
        field_states: { occupation: 'rejected' as const },
        hunk_states: { h1: 'rejected' as const },
      },
      version: null,
      merged: false,
    },
  },
});

export const undoProposal = contract('POST /api/ai/proposals/{id}/undo', {
  ...shared,
  name: 'undoProposal',
  memory: MEMORY.ofTexts,
  role: PERMISSIONS.edit_entities,
  summary: 'Undo the accepted parts of a proposal, or some of them',
  description:
    'Only the proposal’s own changes are taken back: what was written since stays, and if the two overlap, nothing changes. An entity that the proposal made goes to the recycle bin, unless somebody has worked on it since.',
  params,
  body: optionalBody(namedParts),
  reply: DecidedSchema,
  errors: [404, 409, 412],
  example: {
    params: ids,
    body: { fields: ['occupation'] },
    reply: {
      proposal: {
        ...acceptedExample,
        status: 'pending' as const,
        field_states: { occupation: 'undone' as const },
        fields: { occupation: { before: null, after: 'Tide reader', state: 'undone' as const } },
      },
      version: 5,
      merged: false,
    },
  },
});
