import { DIALECTS } from '../model-dialects.ts';
import { parseUrl } from './parse-address.ts';
import { parseBoolean, parseChoice, parseDuration, parsePositive } from './parse-text.ts';
import { optional, withDefault } from './variable.ts';

/** Models that write. The provider of the installation is there once its address and model are set. */
export const AI_VARIABLES = {
  ai: withDefault('AI', {
    description: '`off`: no model is ever asked, and no connection to one is opened, whoever configured it',
    example: 'off',
    start: 'on',
    parse: (text: string): boolean => parseChoice(['on', 'off'])(text) === 'on',
  }),
  aiBaseUrl: optional('AI_BASE_URL', {
    description:
      "Address of the installation's model provider, with the version and without the final path. Needs `AI_MODEL`",
    example: 'http://127.0.0.1:11434/v1',
    parse: parseUrl('http', 'https'),
  }),
  aiModel: optional('AI_MODEL', {
    description: 'The model that is asked there',
    example: 'llama3.1:8b',
    parse: String,
  }),
  aiApiKey: optional('AI_API_KEY', {
    description: 'Its key, if it wants one',
    example: 'sk-…',
    secrecy: 'whole',
    parse: String,
  }),
  aiKind: withDefault('AI_KIND', {
    description:
      'Its API: `openai-compatible` (also Ollama, llama.cpp, vLLM, LM Studio, OpenRouter) or `anthropic`',
    example: 'anthropic',
    start: 'openai-compatible',
    parse: parseChoice(DIALECTS),
  }),
  aiEmbeddingModel: optional('AI_EMBEDDING_MODEL', {
    description: 'Its model for embeddings. Unset: it is asked for none',
    example: 'nomic-embed-text',
    parse: String,
  }),
  aiContextTokens: withDefault('AI_CONTEXT_TOKENS', {
    description: 'Tokens that a request to that model and its answer may have together',
    example: '128000',
    start: '32768',
    parse: parsePositive,
  }),
  aiMaxOutputTokens: withDefault('AI_MAX_OUTPUT_TOKENS', {
    description: 'Tokens that an answer of that model may have',
    example: '8192',
    start: '4096',
    parse: parsePositive,
  }),
  aiTokensPerCredit: withDefault('AI_TOKENS_PER_CREDIT', {
    description:
      'Tokens, in and out together, that a credit pays for; each operation is rounded up. Only the provider of the installation costs credits',
    example: '2000',
    start: '1000',
    parse: parsePositive,
  }),
  aiAtOnce: withDefault('AI_AT_ONCE', {
    description:
      'Requests to models that a process makes at the same time. Others wait, then get 429 or 503. In the cloud one tenant may make half of them',
    example: '4',
    start: '32',
    parse: parsePositive,
  }),
  aiTimeLimitMs: withDefault('AI_TIME_LIMIT', {
    description: 'The longest that one answer of a model may take (s, m, h)',
    example: '5m',
    start: '10m',
    parse: parseDuration,
  }),
  aiFirstByteLimitMs: withDefault('AI_FIRST_BYTE_LIMIT', {
    description:
      'The longest wait for the beginning of an answer: local models are loaded in this time (s, m)',
    example: '30s',
    start: '2m',
    parse: parseDuration,
  }),
  aiLocalEndpoints: withDefault('AI_LOCAL_ENDPOINTS', {
    description:
      'Whether users may name model servers on this machine itself; self-hosted only. Other private addresses need `ALLOW_PRIVATE_ENDPOINTS`, and `AI_BASE_URL` may lead anywhere',
    example: 'true',
    start: 'true',
    serve: 'false',
    desktop: 'true',
    parse: parseBoolean,
  }),
};
