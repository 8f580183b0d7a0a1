import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, noReply, optionalBody } from '../../kit/contract.ts';
import { DIALECTS } from '../../kit/model-dialects.ts';
import {
  Count,
  closed,
  NullableText,
  named,
  nullableInteger,
  nullableText,
  oneOf,
  Text,
} from '../../kit/schemas.ts';

const Kind = oneOf(DIALECTS);
const Scope = oneOf(['tenant', 'user']);
const STATES = ['off', 'not_configured', 'ready'] as const;
const Model = Type.String({ minLength: 1, maxLength: 200 });

const AiProvider = named('AiProvider', {
  name: { ...Text, description: '`installation` is the one of the settings' },
  scope: oneOf(['installation', 'tenant', 'user']),
  kind: Kind,
  base_url: nullableText('Null for that of the installation'),
  model: Text,
  models: Type.Array(Text, { description: 'Other models that the owner has listed' }),
  embedding_model: NullableText,
  context_tokens: Count,
  max_output_tokens: Count,
  has_api_key: Type.Boolean(),
  costs_credits: Type.Boolean(),
  is_default: Type.Boolean({ description: 'Used when a request names no provider' }),
  fault: nullableText('Why it cannot be asked'),
  updated_at: NullableText,
});
export type ProviderReply = Static<typeof AiProvider>;

const NewProvider = closed({
  kind: Kind,
  base_url: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'With the version and without the final path, such as `http://127.0.0.1:11434/v1`; in the cloud https://',
  }),
  model: Model,
  models: Type.Optional(Type.Array(Model, { maxItems: 50 })),
  api_key: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 1_000,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'If left out, the stored key stays unless the kind or address changes. Null removes it',
    }),
  ),
  scope: Scope,
  embedding_model: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 200 }),
  ),
  context_tokens: Type.Optional(
    Type.Integer({ minimum: 1_024, maximum: 10_000_000, description: 'Default 32768' }),
  ),
  max_output_tokens: Type.Optional(
    Type.Integer({ minimum: 16, maximum: 1_000_000, description: 'Default 4096' }),
  ),
});
export type ProviderInput = Static<typeof NewProvider>;

const Capability = Type.Object({ works: Type.Boolean(), detail: NullableText });
const Structured = Type.Object({
  ...Capability.properties,
  native: Type.Boolean({
    description: 'The provider takes a schema with the request; otherwise the question alone asks for JSON',
  }),
});
const ProviderTest = named('AiProviderTest', {
  name: Text,
  model: Text,
  works: Type.Boolean(),
  answer: nullableText('The beginning of what it said'),
  first_ms: nullableInteger('Until the first word'),
  total_ms: nullableInteger('Until the end of that answer'),
  error: Type.Unsafe<{ detail: string; code: string } | null>({
    type: ['object', 'null'],
    properties: { detail: Text, code: Text },
    required: ['detail', 'code'],
    description: 'Why it does not work',
  }),
  capabilities: Type.Object({
    stream: Capability,
    tools: Capability,
    structured_output: Structured,
    vision: Capability,
    embeddings: Capability,
  }),
  usage: Type.Object({ input_tokens: Count, output_tokens: Count }),
  credits: Count,
});
export type ProviderTestReply = Static<typeof ProviderTest>;

const AiStatus = named('AiStatus', {
  status: oneOf(STATES),
  detail: nullableText('What to do if it is not `ready`'),
  default_provider: Type.Unsafe<Pick<ProviderReply, 'name' | 'scope' | 'kind' | 'model'> | null>({
    type: ['object', 'null'],
    properties: { name: Text, scope: Text, kind: Kind, model: Text },
    required: ['name', 'scope', 'kind', 'model'],
  }),
  costs_credits: Type.Boolean({ description: 'Of the default provider' }),
  tokens_per_credit: Count,
});
export type AiStatusReply = Static<typeof AiStatus>;

const params = Type.Object({
  provider: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', description: 'Its name' }),
});
const ai = { auth: 'bearer', tag: 'AI' } as const;
const byUsers = { ...ai, role: PERMISSIONS.use_ai } as const;

const example: ProviderReply = {
  name: 'ollama',
  scope: 'user',
  kind: 'openai-compatible',
  base_url: 'http://127.0.0.1:11434/v1',
  model: 'llama3.1:8b',
  models: [],
  embedding_model: 'nomic-embed-text',
  context_tokens: 32_768,
  max_output_tokens: 4_096,
  has_api_key: false,
  costs_credits: false,
  is_default: true,
  fault: null,
  updated_at: '2026-03-04T05:06:07.890Z',
};
const ids = { provider: example.name };
const { kind, base_url, model, embedding_model } = example;
const works = { works: true, detail: null };

export const getAiStatus = contract('GET /api/ai/status', {
  ...ai,
  name: 'getAiStatus',
  summary: 'Whether AI is available',
  description:
    '`off`: turned off in this installation. `not_configured`: there is no provider for you. `ready`: there is one.',
  reply: AiStatus,
  example: {
    reply: {
      status: 'ready',
      detail: null,
      default_provider: { name: example.name, scope: example.scope, kind, model },
      costs_credits: false,
      tokens_per_credit: 1_000,
    },
  },
});

export const getAiProviders = contract('GET /api/ai/providers', {
  ...byUsers,
  name: 'getAiProviders',
  summary: 'The model providers that you may ask',
  description:
    'Your own first, then those of the tenant, then the one of the installation. If two have the same name, the first one is used.',
  reply: Type.Object({ status: oneOf(STATES), providers: Type.Array(AiProvider) }),
  example: { reply: { status: 'ready', providers: [example] } },
});

export const putAiProvider = contract('PUT /api/ai/providers/{provider}', {
  ...byUsers,
  peopleOnly: true,
  name: 'putAiProvider',
  summary: 'Add or change a model provider',
  description:
    'For yourself (`user`), or for everybody in the tenant (`tenant`, which needs the role admin). Anything left out takes its default. The key is stored encrypted and never shown again; it is dropped when the kind or address changes, unless it is sent again. Addresses in private networks need `ALLOW_PRIVATE_ENDPOINTS`, those of this machine `AI_LOCAL_ENDPOINTS`.',
  params,
  body: NewProvider,
  reply: AiProvider,
  errors: [409],
  example: { params: ids, body: { scope: 'user', kind, base_url, model, embedding_model }, reply: example },
});

export const deleteAiProvider = contract('DELETE /api/ai/providers/{provider}', {
  ...byUsers,
  peopleOnly: true,
  name: 'deleteAiProvider',
  summary: 'Remove a model provider and its key',
  params,
  query: Type.Object({ scope: Type.Optional({ ...Scope, description: 'Default `user`' }) }),
  reply: noReply,
  status: 204,
  errors: [404],
  example: { params: ids, query: { scope: 'user' }, reply: null },
});

export const testAiProvider = contract('POST /api/ai/providers/{provider}/test', {
  ...byUsers,
  project: true,
  name: 'testAiProvider',
  summary: 'Test a provider',
  description:
    'Sends it a few small requests, for a minute at most: for a streamed answer, a tool call, JSON of a schema, the colour of a picture, and vectors if it has an embedding model. They cost credits like any other use. If the provider does not work, the reply is still 200, and `error` says why.',
  params,
  body: optionalBody({}),
  reply: ProviderTest,
  errors: [402, 404, 409, 503],
  example: {
    params: ids,
    body: {},
    reply: {
      name: example.name,
      model,
      works: true,
      answer: 'one two three four five',
      first_ms: 180,
      total_ms: 420,
      error: null,
      capabilities: {
        stream: works,
        tools: works,
        structured_output: { ...works, native: true },
        vision: { works: false, detail: 'It did not say what is on the picture' },
        embeddings: works,
      },
      usage: { input_tokens: 240, output_tokens: 64 },
      credits: 0,
    },
  },
});

export const listProviderModels = contract('GET /api/ai/providers/{provider}/models', {
  ...byUsers,
  name: 'listProviderModels',
  summary: 'List the models of a provider',
  description: 'Asks the provider, for 15 seconds at most. The reply has up to 1,000 names.',
  params,
  reply: Type.Object({ models: Type.Array(Text) }),
  errors: [404, 409, 503],
  example: { params: ids, reply: { models: ['llama3.1:8b', 'nomic-embed-text'] } },
});
