import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { UNKNOWN_VARIABLES } from '../../content/ai/index.ts';
import { contract } from '../../kit/contract.ts';
import { Count, closed, named, oneOf, Text } from '../../kit/schemas.ts';
import { ProposalSchema, proposalExample } from '../proposals/proposals.contract.ts';

const LIMITS = { instruction: 8_000, selection: 100_000, fields: 500, skills: 50, providers: 4 } as const;

export const Instruction = Type.String({
  minLength: 1,
  maxLength: LIMITS.instruction,
  pattern: '\\S',
  description:
    'What you want, in your own words. It may contain variables: `$field`, `$type.field`, `$type:id.field`, `{entity_name}`, `{{name}}`',
});
export const UnknownVariables = oneOf(UNKNOWN_VARIABLES);
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: LIMITS.fields });
const ProviderName = Type.String({ minLength: 1, maxLength: 100 });
export const Skills = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: LIMITS.skills,
  description: 'Ids of enabled skills; by default those that apply to the type',
});

const Target = closed(
  {
    fields: Type.Optional(
      Type.Union([oneOf(['all', 'empty'] as const), Names], {
        description: 'Names of fields, `empty` for those without a value, or `all`',
      }),
    ),
    body: Type.Optional(Type.Boolean({ description: 'The whole body' })),
    placeholders: Type.Optional(
      Type.Union(
        [Type.Boolean(), Type.Array(Type.String({ minLength: 3, maxLength: 2_000 }), { maxItems: 200 })],
        {
          description: 'Bracketed instructions of the body: all of them, or these, with their brackets',
        },
      ),
    ),
    selection: Type.Optional(
      Type.Union(
        [
          closed({ start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 1 }) }),
          closed({ text: Type.String({ minLength: 1, maxLength: LIMITS.selection }) }),
        ],
        {
          description:
            'A passage of the body: its place in UTF-16 units, or its words, which must occur once',
        },
      ),
    ),
  },
  { description: 'What to write; by default the whole entity' },
);

const EntityType = Type.String({ minLength: 1, maxLength: 64 });
const DryRun = Type.Optional(
  Type.Boolean({
    description: 'Send nothing; reply with exactly what would be sent, and the most it can cost',
  }),
);

const ShownHash = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    description:
      '`prompt_hash` of the preview that was looked at: 409 `prompt_changed`, and nothing is sent, where something else would be',
  }),
);

const GenerateBody = closed({
  entity_type: EntityType,
  entity_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Without it a new entity is proposed' }),
  ),
  target: Type.Optional(Target),
  instruction: Type.Optional(Instruction),
  skills: Type.Optional(Skills),
  mode: Type.Optional(oneOf(['single', 'compare', 'fusion'] as const)),
  providers: Type.Optional(Type.Array(ProviderName, { minItems: 1, maxItems: LIMITS.providers })),
  unknown_variables: Type.Optional(UnknownVariables),
  dry_run: DryRun,
  prompt_hash: ShownHash,
});
export type GenerateBody = Static<typeof GenerateBody>;

const RefineBody = closed({
  instruction: Instruction,
  provider: Type.Optional(ProviderName),
  unknown_variables: Type.Optional(UnknownVariables),
  dry_run: DryRun,
  prompt_hash: ShownHash,
});
export type RefineBody = Static<typeof RefineBody>;

const Credits = Type.Integer({ minimum: 0, description: 'Credits; 0 with your own key' });

const Request = Type.Object({
  provider: Text,
  model: Text,
  messages: Type.Array(Type.Object({ role: oneOf(['system', 'user', 'assistant'] as const), content: Text })),
  schema: Type.Record(Text, Type.Unknown(), { description: 'JSON Schema of the answer' }),
  max_output_tokens: Count,
  tokens: Type.Integer({ minimum: 0, description: 'For messages and schema; a high estimate' }),
  price: Type.Object({
    one_round: Credits,
    most: Type.Integer({ minimum: 0, description: 'With one repair; this much is reserved' }),
  }),
  sources: Type.Array(Type.Object({ kind: Text, ref: Text, label: Text }), {
    description: 'What the messages are made from',
  }),
  cut: Type.Array(
    Type.Object({ ref: Text, label: Text, reason: oneOf(['left_out', 'shortened'] as const) }),
    {
      description: "What did not fit into the model's window",
    },
  ),
  skills: Type.Array(Text),
  unknown_variables: Type.Array(Text, { description: 'As written' }),
});

const Preview = named('GenerationPreview', {
  dry_run: Type.Literal(true),
  mode: oneOf(['single', 'compare', 'fusion'] as const),
  requests: Type.Array(Request, {
    description:
      'One for each provider. A repair repeats it with the answer and its faults; `fusion` then sends the first request with all answers',
  }),
  prompt_hash: Type.String({
    description:
      'SHA-256 of all their messages, not of model and price; of a single request, that of its proposal',
  }),
  price: Type.Integer({
    minimum: 0,
    description: 'The most credits that all requests can cost, without combining',
  }),
});

const Failure = Type.Object({ provider: Text, detail: Text, code: Text, status: Type.Integer() });

const Generated = named('Generated', {
  proposals: Type.Array(ProposalSchema, { description: 'With `fusion`, the combined one comes first' }),
  failures: Type.Array(Failure, { description: 'Providers that failed, if at least one succeeded' }),
});

const GenerateReply = Type.Union([Generated, Preview]);

const EVENTS = {
  context: 'What is sent: the reply of a dry run',
  delta: 'The next piece of an answer, as the model writes it: `provider`, `text`',
  usage: 'What an answer took: `provider`, `input_tokens`, `output_tokens`, `credits`',
  proposal: 'A stored proposal: `provider`, `proposal`',
  error:
    'Why the generation failed, or one of several providers did: `detail`, `code`, and in the latter case `provider`',
};

const shared = {
  auth: 'bearer',
  project: true,
  tag: 'Generation',
  role: PERMISSIONS.use_ai,
  reply: GenerateReply,
  events: EVENTS,
} as const;

const example = {
  reply: { proposals: [proposalExample], failures: [] },
};

const examplePreview = {
  dry_run: true as const,
  mode: 'single' as const,
  requests: [
    {
      provider: 'installation',
      model: 'llama3.1:8b',
      messages: [
        { role: 'system' as const, content: 'You help the writers of a fictional world. …' },
        { role: 'user' as const, content: 'Write for character/mira_vale. …' },
      ],
      schema: { type: 'object', properties: { fields: { type: 'object' } } },
      max_output_tokens: 4096,
      tokens: 2310,
      price: { one_round: 7, most: 18 },
      sources: [{ kind: 'entity', ref: 'character/mira_vale', label: 'Mira Vale' }],
      cut: [],
      skills: ['character_writer'],
      unknown_variables: [],
    },
  ],
  prompt_hash: '9f2c6d0e7a41b3588d1e5c7f0a2b4d6e8f1a3c5e7092b4d6f8a1c3e5d7f90b2c',
  price: 18,
};

export const generate = contract('POST /api/ai/generate', {
  ...shared,
  name: 'generate',
  summary: 'Let models propose text for an entity',
  description:
    'The answer becomes a proposal: nothing is written before somebody accepts it. `compare` asks two to four providers, one proposal each; with `fusion`, the first of them then combines the results. An answer that breaks the schema or a rule is asked for once more, and what is still wrong then is a finding. With `Accept: text/event-stream` the reply is a stream of events; `dry_run` always replies with JSON, and its `prompt_hash` can be given back, so that nothing but what was shown is sent.',
  body: GenerateBody,
  errors: [402, 403, 404, 409, 503],
  example: {
    body: {
      entity_type: 'character',
      entity_id: 'mira_vale',
      target: { fields: ['want'] },
      instruction: 'Something that can be held',
      dry_run: true,
    },
    reply: examplePreview,
  },
});

export const refineProposal = contract('POST /api/ai/proposals/{id}/refine', {
  ...shared,
  name: 'refineProposal',
  summary: 'Let a model change a proposal',
  description:
    'Makes another proposal from the present version of the entity, with the first one as its parent; that one stays as it is. Replies as `/api/ai/generate` does.',
  params: Type.Object({ id: Text }),
  body: RefineBody,
  errors: [402, 403, 404, 409, 503],
  example: {
    params: { id: proposalExample.proposal_id },
    body: { instruction: 'Shorter, and without the sea' },
    ...example,
  },
});
