import { createClient } from '../client/client.ts';
import { messageOf } from '../kit/errors.ts';
import { type ChatEvent, type Llm, LlmError } from '../platform/llm/llm.ts';
import type { Llms } from '../platform/llm/llms.ts';
import { fromWireFailure, fromWireVector, toWireAddress, toWireRequest } from '../service/inference/index.ts';
import {
  chatWithModel,
  embedTexts,
  listModelNames,
  reportModelPressure,
  type WireFailure,
} from '../service/inference/inference.contract.ts';
import { serverSentEvents } from './server-sent-events.ts';

export interface AiClientOptions {
  url: string;
  serviceToken: string;
  /** True if users enter the addresses that are asked. */
  entered: boolean;
}

/** The port to models, by the AI surface. Limits and repeats are the surface's; here only its own silence is bounded. */
export function createAiClient({ url, serviceToken, entered }: AiClientOptions): Llm {
  const clientFor = (signal: AbortSignal) =>
    createClient({
      contracts: { embedTexts, listModelNames },
      baseUrl: url,
      token: serviceToken,
      fetch: (address, request) => fetch(address, { ...request, signal, redirect: 'error' }),
    });

  return {
    async *chat(address, request, signal) {
      signal.throwIfAborted();
      const body = { address: toWireAddress(address), entered, request: toWireRequest(request) };
      const ended = new AbortController();
      const response = await fetch(`${url}${chatWithModel.path}`, {
        method: chatWithModel.method,
        headers: {
          authorization: `Bearer ${serviceToken}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.any([signal, ended.signal]),
      }).catch(lostOr(signal));
      try {
        if (!response.ok || response.body === null) throw notServed(response.status);
        yield* chatEvents(response.body, signal);
      } finally {
        ended.abort();
      }
    },

    async embed(address, texts, signal) {
      signal.throwIfAborted();
      const body = { address: toWireAddress(address), entered, texts: [...texts] };
      const reply = await clientFor(signal).embedTexts({ body }).catch(lostOr(signal));
      if (reply.failure) throw fromWireFailure(reply.failure);
      return {
        vectors: reply.vectors.map(fromWireVector),
        usage: { inputTokens: reply.input_tokens, outputTokens: 0 },
      };
    },

    async models(address, signal) {
      signal.throwIfAborted();
      const body = { address: toWireAddress(address), entered };
      const reply = await clientFor(signal).listModelNames({ body }).catch(lostOr(signal));
      if (reply.failure) throw fromWireFailure(reply.failure);
      return reply.models;
    },
  };
}

async function* chatEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  let isOver = false;
  try {
    for await (const { event, data } of serverSentEvents(body)) {
      if (event === 'failure') throw fromWireFailure(data as WireFailure);
      if (event === 'error') throw new LlmError('unreachable', 'The AI surface failed: its log has more');
      isOver = event === 'end';
      yield { ...(data as object), type: event } as ChatEvent;
    }
  } catch (error) {
    lostOr(signal)(error);
  }
  if (!isOver) throw new LlmError('bad_answer', 'The answer was cut off before its end');
}

const lostOr =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    signal.throwIfAborted();
    if (error instanceof LlmError) throw error;
    throw new LlmError('unreachable', `The AI surface does not answer (${messageOf(error)})`);
  };

const notServed = (status: number) =>
  new LlmError(
    status === 429 || status === 503 ? 'busy' : 'unreachable',
    `The AI surface answered ${status}`,
  );

const REPORT_WITHIN_MS = 2_000;

export const pressureReporter =
  ({ url, serviceToken }: Pick<AiClientOptions, 'url' | 'serviceToken'>): Llms['reportPressure'] =>
  async (level, seconds) => {
    const client = createClient({
      contracts: { reportModelPressure },
      baseUrl: url,
      token: serviceToken,
      fetch: (address, request) =>
        fetch(address, { ...request, signal: AbortSignal.timeout(REPORT_WITHIN_MS), redirect: 'error' }),
    });
    await client.reportModelPressure({ body: { level, duration_seconds: seconds } });
  };
