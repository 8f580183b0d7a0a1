import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from './api-error.ts';
import { errorOf, type Fault } from './faults.ts';
import { parseForm } from './form.ts';
import type { Answer, Idempotency } from './idempotency.ts';
import { handle } from './routes.ts';
import { newId, type Store } from './store.ts';

export interface PaymentRequest {
  method: string;
  path: string;
  /** Of the query or the body, as text. */
  params: Record<string, string>;
  headers: IncomingMessage['headers'];
}

export interface ApiParts {
  store: Store;
  apiKey: string;
  idempotency: Idempotency;
}

/** The answer to a request, and what goes wrong with it. */
export async function answerTo(
  parts: ApiParts,
  { method, path, headers }: PaymentRequest,
  encoded: string,
  response: ServerResponse,
  fault: Fault = {},
): Promise<void> {
  const { idempotency } = parts;
  const given = headers['idempotency-key']?.toString();
  const key = method === 'POST' ? given : undefined;
  const isLost =
    fault.drip || fault.status !== undefined || fault.connection !== undefined || fault.body !== undefined;
  const isDone = !isLost || fault.effect === 'done' || fault.connection === 'cut';
  let holdsKey = false;
  let answer: Answer | null = null;
  try {
    if (isDone) {
      checkHeaders(parts, headers);
      answer = idempotency.once(key, `${method} ${path} ${encoded}`, () => {
        holdsKey = true;
        return worked(parts.store, method, path, encoded);
      });
    }
  } catch (error) {
    answer = answerOf(error);
  }
  try {
    if (fault.delayMs) await pause(fault.delayMs);
    write(response, answer, fault);
  } finally {
    if (holdsKey) idempotency.release(key);
  }
}

/** Refusals are answers too: they are repeated for the same key. */
function worked(store: Store, method: string, path: string, encoded: string): Answer {
  try {
    return { status: 200, body: handle(store, method, path, parseForm(encoded)) };
  } catch (error) {
    return answerOf(error);
  }
}

function answerOf(error: unknown): Answer {
  if (error instanceof ApiError) return { status: error.status, body: { error: error.body } };
  throw error;
}

function checkHeaders({ apiKey }: ApiParts, headers: IncomingMessage['headers']): void {
  const given = headers.authorization ?? '';
  if (given === '') throw new ApiError(401, { message: 'You did not provide an API key.' });
  if (given !== `Bearer ${apiKey}`)
    throw new ApiError(401, { message: `Invalid API Key provided: ${given.replace('Bearer ', '')}` });
  const version = headers['stripe-version']?.toString() ?? '';
  if (!/^\d{4}-\d{2}-\d{2}(?:\.[a-z]+)?$/.test(version))
    throw new ApiError(400, { message: `Invalid Stripe API version: ${version}` });
}

function write(response: ServerResponse, answer: Answer | null, fault: Fault): void {
  if (fault.connection === 'silent') return;
  if (fault.connection === 'reset') return void response.destroy();
  if (fault.drip) return void drip(response);
  const status = fault.status ?? answer?.status ?? 200;
  const isError = fault.status !== undefined || answer === null;
  const body = fault.body ?? JSON.stringify(isError ? errorOf(status, fault) : answer?.body);
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'request-id': newId('req'),
    ...answer?.headers,
    ...fault.headers,
  });
  if (fault.connection !== 'cut') return void response.end(bytes);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
}
