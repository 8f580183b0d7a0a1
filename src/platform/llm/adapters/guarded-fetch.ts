import type { IncomingMessage } from 'node:http';
import { exchange, type OutgoingRequest } from '../../outgoing/exchange.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { LlmLimits } from '../limits.ts';
import { LlmError } from '../llm.ts';

export interface GuardedCall {
  /** For the libraries: through the outgoing rules, without redirects, and within the limits. */
  fetch: typeof fetch;
  /** Why the call was ended here; null if it was not. */
  failure(): LlmError | null;
  /** Closes the connection if it is still open. */
  end(): void;
}

export interface GuardedCallOptions {
  outgoing: Outgoing;
  limits: LlmLimits;
  /** Of the whole call, which may have begun with an earlier attempt. */
  leftMs: number;
  signal: AbortSignal;
}

/** Statuses whose replies have no body: `Response` refuses one. */
const WITHOUT_BODY = [204, 205, 304];

/** One attempt at a call: the transport that a library is given, and the clocks of the attempt. */
export function createGuardedCall({ outgoing, limits, leftMs, signal }: GuardedCallOptions): GuardedCall {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let failure: LlmError | null = null;
  const fail = (reason: LlmError): void => {
    failure ??= reason;
    ended.abort(failure);
  };
  const failAfter = (ms: number, what: string) =>
    setTimeout(() => fail(new LlmError('too_slow', what)), Math.max(0, ms));
  const total = failAfter(leftMs, `The model took longer than ${seconds(limits.totalMs)}`);
  let first: NodeJS.Timeout | undefined;

  async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    const chunks: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
    let bytes = 0;
    try {
      for (;;) {
        const silence =
          bytes === 0
            ? undefined
            : failAfter(limits.silenceMs, `The model fell silent for ${seconds(limits.silenceMs)}`);
        const next = await chunks.next().finally(() => clearTimeout(silence));
        clearTimeout(first);
        if (next.done) return;
        bytes += next.value.length;
        if (bytes > limits.answerBytes)
          fail(new LlmError('bad_answer', `The answer has more than ${limits.answerBytes} bytes`));
        either.throwIfAborted();
        yield next.value;
      }
    } finally {
      response.destroy();
    }
  }

  const guardedFetch: typeof fetch = async (address, { method = 'GET', headers, body } = {}) => {
    first = failAfter(
      limits.firstByteMs,
      `The model did not begin to answer within ${seconds(limits.firstByteMs)}`,
    );
    const given = {
      ...Object.fromEntries(new Headers(headers)),
      'accept-encoding': 'identity',
      'user-agent': 'canonry',
    };
    const sent = { method, headers: given, ...(typeof body === 'string' && { body }) };
    const response = await headOf(outgoing, String(address), sent, either);
    const { statusCode: status = 0, rawHeaders } = response;
    const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
    );
    if (!WITHOUT_BODY.includes(status))
      return new Response(ReadableStream.from(bytesOf(response)), { status, headers: pairs });
    response.resume();
    return new Response(null, { status, headers: pairs });
  };

  return {
    fetch: guardedFetch,
    failure: () => failure,
    end() {
      clearTimeout(total);
      clearTimeout(first);
      ended.abort();
    },
  };
}

/** The clocks of a call are stricter. */
const AT_LAST_MS = 24 * 3_600_000;

/**
 * An abort destroys the request before the head has arrived, and then the response, without an error: once a response is
 * complete its socket has no listeners, and an error would end the process.
 */
async function headOf(
  outgoing: Outgoing,
  address: string,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const connecting = new AbortController();
  let response: IncomingMessage | undefined;
  signal.addEventListener('abort', () => (response ? response.destroy() : connecting.abort(signal.reason)), {
    once: true,
  });
  const limits = { answerMs: AT_LAST_MS, silenceMs: AT_LAST_MS, signal: connecting.signal };
  response = await exchange(outgoing, address, request, limits);
  // It may be ended while nobody reads it.
  response.on('error', () => {});
  return response;
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} seconds`;
