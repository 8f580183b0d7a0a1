import { type Static, Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { DIALECTS } from '../../kit/model-dialects.ts';
import { Count, closed, named, nullableInteger, nullableText, oneOf, Text } from '../../kit/schemas.ts';

const FAILURES = [
  'refused_key',
  'unknown_model',
  'busy',
  'unreachable',
  'too_slow',
  'too_long',
  'bad_answer',
  'refused',
] as const;
const MOST_BYTES = 32 * 1024 * 1024;

const Address = closed({
  kind: oneOf(DIALECTS),
  base_url: Text,
  model: Text,
  api_key: nullableText('Sent to that address alone'),
});
const asked = {
  address: Address,
  entered: Type.Boolean({
    description: 'Whether a user entered the address, so that the rules of outgoing requests apply',
  }),
};
export type WireAddress = Static<typeof Address>;

const Failure = named('ModelFailure', {
  failure: oneOf(FAILURES),
  message: Text,
  retry_after_ms: nullableInteger('As the provider says'),
});
export type WireFailure = Static<typeof Failure>;
const OrFailure = { failure: Type.Optional(Failure) };

export const getAiHealth = contract('GET /health', {
  name: 'getAiHealth',
  auth: 'none',
  tag: 'Operations',
  summary: 'Health',
  description:
    '`gpu_available`: this process may open a graphics processor (NVIDIA, AMD or Apple). Models behind other addresses have their own.',
  reply: Type.Object({
    status: Type.Literal('healthy'),
    cloud_mode: Type.Boolean(),
    gpu_available: Type.Boolean(),
  }),
  example: { reply: { status: 'healthy', cloud_mode: false, gpu_available: false } },
});

const internal = { auth: 'service', tag: 'Internal' } as const;
const address = {
  kind: 'openai-compatible',
  base_url: 'http://127.0.0.1:11434/v1',
  model: 'llama3.1:8b',
  api_key: null,
};

export const chatWithModel = contract('POST /internal/ai/chat', {
  ...internal,
  name: 'chatWithModel',
  summary: 'Ask a model',
  description: 'For cores. `request` is that of the port to models; bytes of pictures are base64.',
  bodyLimit: MOST_BYTES,
  body: closed({ ...asked, request: Type.Record(Type.String(), Type.Unknown()) }),
  reply: Type.Object({}),
  events: {
    delta: 'A piece of the answer: `{text}`',
    call: 'A call of a tool: `{call}`',
    end: 'The last event of an answer: `{reason, usage}`',
    failure: 'Instead: why there is no answer, or no more of it',
  },
  example: {
    body: { address, entered: false, request: { messages: [{ role: 'user', content: 'Hello' }] } },
    reply: {},
  },
});

export const embedTexts = contract('POST /internal/ai/embed', {
  ...internal,
  name: 'embedTexts',
  summary: 'Vectors of texts',
  bodyLimit: MOST_BYTES,
  body: closed({ ...asked, texts: Type.Array(Text, { maxItems: 10_000 }) }),
  reply: Type.Object({
    ...OrFailure,
    vectors: Type.Array(Text, { description: '32-bit numbers in base64' }),
    input_tokens: Count,
  }),
  example: {
    body: { address, entered: false, texts: ['Mira'] },
    reply: { vectors: ['AACAPw=='], input_tokens: 1 },
  },
});

export const listModelNames = contract('POST /internal/ai/models', {
  ...internal,
  name: 'listModelNames',
  summary: 'Names of the models behind an address',
  body: closed(asked),
  reply: Type.Object({ ...OrFailure, models: Type.Array(Text) }),
  example: { body: { address, entered: false }, reply: { models: ['llama3.1:8b'] } },
});

const Pressure = oneOf(['normal', 'high', 'critical']);
export const reportModelPressure = contract('POST /internal/ai/vram-pressure', {
  ...internal,
  name: 'reportModelPressure',
  summary: 'Report that graphics memory is short',
  description:
    '`high` allows a quarter of the usual requests at once, `critical` one, `normal` the usual number again. It lasts for `duration_seconds` (default one minute), and at least one request is always served.',
  body: closed({
    level: Pressure,
    duration_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  }),
  reply: Type.Object({ max_concurrent: Count, until: nullableText('Null: without an end') }),
  example: {
    body: { level: 'high' },
    reply: { max_concurrent: 8, until: '2026-03-02T10:16:00.000Z' },
  },
});
