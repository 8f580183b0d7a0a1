import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from './access.ts';
import type { Api } from './api.ts';
import { answerBatch } from './batch.ts';
import { errorOf, type Fault, isBroken } from './faults.ts';
import { type Answer, type ApiRequest, errorAnswer } from './requests.ts';
import { handle } from './routes.ts';

/** A request as it came. */
export interface DriveRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  /** Of those in a batch, as `POST /drive/v3/files`. */
  batched: string[];
  /** Bytes of the body that came. */
  size: number;
}

export interface Serving {
  api: Api;
  access: Access;
  takeFault(request: string): Fault;
  requests: DriveRequest[];
}

/** The answer to a request, and what goes wrong with it. */
export async function serve(
  serving: Serving,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, search, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
  // The request loses its socket when its body is given up.
  const { method = '', headers, socket } = incoming;
  const log = { method, path: pathname, query: Object.fromEntries(searchParams), batched: [], size: 0 };
  serving.requests.push(log);
  const fault = serving.takeFault(`${method} ${pathname}${search}`);
  const isCut = fault.connection === 'cut-upload';
  const read = await readBody(
    incoming,
    isCut ? Math.floor(Number(headers['content-length'] ?? 0) / 2) : null,
  );
  log.size = read.body.length;
  const request = { method, path: pathname, query: searchParams, headers, fault, ...read };
  if (!read.isComplete) {
    // What came of a piece is kept; anything else is as if it had not been sent.
    if (method === 'PUT') handle(serving.api, request);
    return void socket.destroy();
  }
  const isDone = !isBroken(fault) || fault.effect === 'done';
  const right = isDone ? answerTo(serving, request, log) : null;
  if (fault.delayMs) await pause(fault.delayMs);
  const answer = right && !isBroken(fault) ? right : errorAnswer(errorOf(fault.status ?? 500, fault));
  write(response, answer, fault);
}

async function readBody(incoming: IncomingMessage, most: number | null) {
  const pieces: Buffer[] = [];
  let length = 0;
  let isComplete = most === null;
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (most !== null && length >= most) break;
    }
  } catch {
    isComplete = false;
  }
  const body = Buffer.concat(pieces);
  return { body: most === null ? body : body.subarray(0, most), isComplete: isComplete && incoming.complete };
}

function answerTo(serving: Serving, request: ApiRequest, log: DriveRequest): Answer {
  if (request.method !== 'POST' || request.path !== '/batch/drive/v3') return checked(serving, request);
  const each = (inner: ApiRequest) => {
    const line = `${inner.method} ${inner.path}`;
    log.batched.push(line);
    const fault = serving.takeFault(line);
    const isDone = !isBroken(fault) || fault.effect === 'done';
    const answer = isDone ? checked(serving, { ...inner, fault }) : null;
    return answer && !isBroken(fault) ? answer : errorAnswer(errorOf(fault.status ?? 500, fault));
  };
  try {
    return answerBatch(request, each);
  } catch (error) {
    return errorAnswer(error);
  }
}

function checked({ api, access }: Serving, request: ApiRequest): Answer {
  try {
    // The address of an upload session is secret and needs no token.
    const isSession = request.path.startsWith('/upload/') && request.query.has('upload_id');
    if (!isSession || request.headers.authorization !== undefined) access.check(request);
  } catch (error) {
    return errorAnswer(error);
  }
  return handle(api, request);
}

function write(response: ServerResponse, { status, headers, body }: Answer, { connection }: Fault): void {
  if (connection === 'silent') return;
  if (connection === 'reset') return void response.destroy();
  response.writeHead(status, { ...headers, ...(status !== 204 && { 'content-length': body.length }) });
  if (connection !== 'cut') return void response.end(body);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}
