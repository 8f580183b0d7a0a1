import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { contract } from '../../../kit/contract.ts';
import { Count, closed, NullableText, named, nullableText, oneOf, Text } from '../../../kit/schemas.ts';
import { Instruction, Skills, UnknownVariables } from '../generation.contract.ts';

/** `stopped`: the cost limit is reached, or nobody can be asked; what is left stays `waiting`. */
const FILL_STATUSES = ['running', 'done', 'cancelled', 'stopped'] as const;
export type FillStatus = (typeof FILL_STATUSES)[number];

/** Of one entity. `skipped`: nothing was empty, or the model proposed nothing. */
export type FillState = 'waiting' | 'proposed' | 'skipped' | 'failed';

export const MOST_ENTITIES = 500;

const FillBody = closed({
  entity_type: Type.String({ minLength: 1, maxLength: 64 }),
  entity_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: MOST_ENTITIES }),
  ),
  filter: Type.Optional(
    closed(
      { status: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) },
      { description: 'Use this instead of ids' },
    ),
  ),
  fields: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 500,
      description: 'Only the empty ones among these; by default all empty fields',
    }),
  ),
  placeholders: Type.Optional(
    Type.Boolean({ description: 'The bracketed instructions of the bodies, instead of fields' }),
  ),
  instruction: Type.Optional(Instruction),
  skills: Type.Optional(Skills),
  provider: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  unknown_variables: Type.Optional(UnknownVariables),
  max_credits: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The run stops before an entity that could exceed it. Your own keys cost nothing',
  }),
});
export type FillBody = Static<typeof FillBody>;

const Fill = named('FillRun', {
  run_id: Text,
  change_set_id: Type.String({ description: 'Of all its proposals, to be reviewed together' }),
  entity_type: Text,
  status: oneOf(FILL_STATUSES),
  reason: nullableText('Why it stopped'),
  total: Count,
  done: Count,
  proposed: Count,
  skipped: Type.Integer({ minimum: 0, description: 'Nothing was empty, or nothing was proposed' }),
  failed: Count,
  credits: Count,
  max_credits: Count,
  failures: Type.Array(Type.Object({ detail: Text }), { description: 'Of the first 20 that failed' }),
  proposals: Type.Array(Text, { description: 'Ids, in the order of the entities' }),
  created_by: Text,
  started_at: Text,
  finished_at: NullableText,
});
export type FillReply = Static<typeof Fill>;

const shared = { auth: 'bearer', project: true, tag: 'Generation' } as const;
const example = {
  run_id: '5f0c2f0e-8f61-4b2f-9a44-2a7c3e7f9f12',
  change_set_id: '6f0c2f0e-8f61-4b2f-9a44-2a7c3e7f9f13',
  entity_type: 'character',
  status: 'running' as const,
  reason: null,
  total: 12,
  done: 4,
  proposed: 3,
  skipped: 1,
  failed: 0,
  credits: 9,
  max_credits: 50,
  failures: [],
  proposals: ['3f0c2f0e-8f61-4b2f-9a44-2a7c3e7f9f11'],
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  started_at: '2026-03-02T10:15:00.000Z',
  finished_at: null,
};
const params = Type.Object({ run_id: Text });

export const startFill = contract('POST /api/ai/fill', {
  ...shared,
  name: 'startFill',
  role: PERMISSIONS.use_ai,
  summary: 'Propose the empty fields of many entities, in the background',
  description:
    'Each entity becomes one generation and one proposal, all in one change set. What would be sent for one of them is what a dry run of `/api/ai/generate` shows for its empty fields. Progress comes as the event `ai_fill_progress`. The run survives a restart, and never asks again for an answer that is stored.',
  body: FillBody,
  reply: Fill,
  errors: [402, 403, 404, 409],
  example: {
    body: { entity_type: 'character', entity_ids: ['mira_vale'], fields: ['story_role'], max_credits: 50 },
    reply: example,
  },
});

export const getFill = contract('GET /api/ai/fill/{run_id}', {
  ...shared,
  name: 'getFill',
  summary: 'Progress of a fill run',
  params,
  reply: Fill,
  errors: [404],
  example: { params: { run_id: example.run_id }, reply: example },
});

export const cancelFill = contract('DELETE /api/ai/fill/{run_id}', {
  ...shared,
  name: 'cancelFill',
  role: PERMISSIONS.use_ai,
  summary: 'Cancel a fill run; its proposals stay',
  params,
  reply: Fill,
  errors: [404],
  example: { params: { run_id: example.run_id }, reply: { ...example, status: 'cancelled' as const } },
});
