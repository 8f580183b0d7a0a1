import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract, MEMORY, optionalBody } from '../../../kit/contract.ts';
import { pageQuery, pageReply } from '../../../kit/page.ts';
import { Count, named, nullableText, oneOf, Text } from '../../../kit/schemas.ts';
import { exampleOperation, Operation } from '../../changesets/changesets.contract.ts';
import {
  CanonFinding,
  Finding,
  PROPOSAL_STATUSES,
  ProposalSchema,
  proposalExample,
} from '../proposals.contract.ts';

const properties = {
  change_set_id: Text,
  title: Text,
  agent: nullableText('The name of the client, if an agent made it'),
  status: oneOf(PROPOSAL_STATUSES),
  counts: Type.Object(
    { pending: Count, partly_accepted: Count, accepted: Count, rejected: Count, undone: Count },
    { description: 'Its proposals by status' },
  ),
  created_by: Text,
  created_at: Text,
  operation_id: nullableText('The last operation that applied it: undo that to take the set back'),
};

const ChangeSet = named('ChangeSet', properties);

const example = {
  change_set_id: '8a1c2f0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  title: 'Three quests for the harbour',
  agent: 'claude-desktop',
  status: 'pending' as const,
  counts: { pending: 3, partly_accepted: 0, accepted: 0, rejected: 0, undone: 0 },
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  created_at: '2026-03-02T10:15:00.000Z',
  operation_id: null,
};

const shared = { auth: 'bearer', project: true, tag: 'Change sets' } as const;
const params = Type.Object({ id: Text });
const ids = { id: example.change_set_id };

export const listChangeSets = contract('GET /api/ai/change-sets', {
  ...shared,
  name: 'listChangeSets',
  summary: 'List change sets, newest first',
  query: Type.Object(pageQuery),
  reply: pageReply({ change_sets: Type.Array(ChangeSet) }),
  example: { reply: { total: 1, offset: 0, limit: 50, change_sets: [example] } },
});

export const getChangeSet = contract('GET /api/ai/change-sets/{id}', {
  ...shared,
  name: 'getChangeSet',
  memory: MEMORY.ofProject,
  summary: 'A change set: what it would change, and what speaks against it',
  description:
    'A page of its proposals in full. Findings are for all its open proposals together, since drafts may refer to each other.',
  params,
  query: Type.Object({
    offset: pageQuery.offset,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 20 })),
  }),
  reply: Type.Object({
    ...properties,
    total: Type.Integer(),
    offset: Type.Integer(),
    limit: Type.Integer(),
    proposals: Type.Array(ProposalSchema),
    findings: Type.Array(Type.Object({ proposal_id: Text, ...Finding.properties })),
    canon_findings: Type.Array(CanonFinding),
  }),
  errors: [404],
  example: {
    params: ids,
    reply: {
      ...example,
      total: 1,
      offset: 0,
      limit: 20,
      proposals: [proposalExample],
      findings: [],
      canon_findings: [],
    },
  },
});

export const acceptChangeSet = contract('POST /api/ai/change-sets/{id}/accept', {
  ...shared,
  name: 'acceptChangeSet',
  memory: MEMORY.ofProject,
  role: PERMISSIONS.edit_entities,
  summary: 'Accept a change set, or some of its proposals, as one operation',
  description:
    'Every file is merged like that of a single proposal. If a change overlaps with what was written since, the file stays as it is and is named in `skipped`, and its proposal stays open. `POST /api/operations/{operation_id}/undo` takes all of it back.',
  params,
  body: optionalBody({ proposals: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: 500 })) }),
  reply: Operation,
  accepted: Operation,
  errors: [404, 409],
  example: {
    params: ids,
    body: { proposals: [proposalExample.proposal_id] },
    reply: { ...exampleOperation, kind: 'ai', label: example.title },
  },
});

export const rejectChangeSet = contract('POST /api/ai/change-sets/{id}/reject', {
  ...shared,
  name: 'rejectChangeSet',
  role: PERMISSIONS.edit_entities,
  summary: 'Reject the open proposals of a change set',
  params,
  reply: ChangeSet,
  errors: [404, 409],
  example: {
    params: ids,
    reply: {
      ...example,
      status: 'rejected' as const,
      counts: { ...example.counts, pending: 0, rejected: 3 },
    },
  },
});
