import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Dialect } from '../../../src/kit/model-dialects.ts';
import type { ModelAddress } from '../../../src/platform/llm/llm.ts';
import type { Answer, LlmRequest, Script } from './answer.ts';
import { anthropicError } from './anthropic-dialect.ts';
import { openAiError } from './openai-dialect.ts';
import { streamAnswer } from './stream-answer.ts';

export interface LlmServer {
  /** With the version, as `AI_BASE_URL` takes it. */
  url: string;
  /** How to ask it. */
  address(kind?: Dialect, changed?: Partial<ModelAddress>): ModelAddress;
  /** Every request, in the order of arrival. */
  requests: LlmRequest[];
  /** Requests for answers, without those for lists and embeddings. */
  chats(): LlmRequest[];
  /** From the next request on. */
  script(script: Script): void;
  /** Names in the list of models. */
  models: string[];
  /** A key that requests must have; null for none. */
  key: string | null;
  /** Requests whose answers are not over. */
  open(): number;
  close(): Promise<void>;
}

/** A model provider on a free local port that answers by script, in both dialects. */
export async function startLlmServer(initial: Script = {}): Promise<LlmServer> {
  let script = initial;
  let turn = 0;
  let open = 0;
  const nextAnswer = (request: LlmRequest): Answer => {
    const index = turn++;
    if (typeof script === 'function') return script(request, index);
    const list: readonly Answer[] = Array.isArray(script) ? script : [script];
    return list[Math.min(index, list.length - 1)] ?? {};
  };

  const server = createServer(async (incoming, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    // The caller may go at any time.
    response.on('error', () => {});
    const request = await received(incoming).catch(() => null);
    if (request === null) return;
    running.requests.push(request);
    await answerTo(running, request, response, nextAnswer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const running: LlmServer = {
    url,
    address: (kind = 'openai-compatible', changed = {}) => ({
      kind,
      baseUrl: url,
      model: 'scripted-1',
      apiKey: 'sk-scripted-0123456789',
      ...changed,
    }),
    requests: [],
    chats: () => running.requests.filter(({ path }) => isChat(path)),
    script(next) {
      script = next;
      turn = 0;
    },
    models: ['scripted-1', 'scripted-2', 'scripted-embed'],
    key: null,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return running;
}

const isChat = (path: string): boolean => /\/(?:chat\/completions|messages)$/.test(path);

async function received(incoming: IncomingMessage): Promise<LlmRequest> {
  const { method = '', url: path = '', headers } = incoming;
  const bytes = await buffer(incoming);
  return { method, path, headers, bytes, body: bytes.length === 0 ? null : JSON.parse(bytes.toString()) };
}

async function answerTo(
  server: LlmServer,
  request: LlmRequest,
  response: ServerResponse,
  nextAnswer: (request: LlmRequest) => Answer,
): Promise<void> {
  const { path, headers, body } = request;
  const dialect = path.endsWith('/messages') ? 'anthropic' : 'openai';
  const given = headers['x-api-key'] ?? headers.authorization?.toString().replace('Bearer ', '');
  if (server.key !== null && given !== server.key)
    return refuse(response, dialect, { status: 401, message: `Incorrect API key provided: ${given}` });
  if (path.endsWith('/models'))
    return reply(response, 200, { data: server.models.map((id) => ({ id, object: 'model' })) });
  if (body === null) return refuse(response, dialect, { status: 404, message: `No route ${path}` });
  const answer = nextAnswer(request);
  await answer.after;
  if (answer.silent === 'at_once') return;
  if (answer.refuse) return refuse(response, dialect, answer.refuse);
  if (path.endsWith('/embeddings')) return reply(response, 200, embeddingsOf(body.input ?? [], answer));
  if (isChat(path)) return streamAnswer(response, answer, body, dialect);
  refuse(response, dialect, { status: 404, message: `No route ${path}` });
}

function refuse(
  response: ServerResponse,
  dialect: 'openai' | 'anthropic',
  { status, message = 'Refused by script', code, headers = {} }: NonNullable<Answer['refuse']>,
): void {
  const type = status === 529 ? 'overloaded_error' : 'invalid_request_error';
  const body = dialect === 'openai' ? openAiError(message, type, code) : anthropicError(message, type);
  reply(response, status, body, headers);
}

function reply(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const embeddingsOf = (texts: readonly string[], { usage }: Answer) => ({
  object: 'list',
  data: texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
  ...(usage !== null && { usage: { prompt_tokens: texts.length * 3, total_tokens: texts.length * 3 } }),
});

const DIMENSIONS = 64;

/** Texts with the same words have near vectors: each word adds to a few places that its letters choose. */
function vectorOf(text: string): number[] {
  const vector = Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ['']) {
    const hash = [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
    for (const place of [hash, hash * 7 + 3, hash * 13 + 5]) {
      const at = place % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + 1;
    }
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
