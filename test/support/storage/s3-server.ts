import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { S3Place } from '../../../src/platform/blobs/blobs.ts';
import { listen } from '../oauth/listen.ts';
import {
  createS3Objects,
  operationOf,
  type S3Operation,
  type S3Reply,
  type S3Request,
  s3Error,
} from './s3-objects.ts';
import { type S3Account, signatureFault } from './s3-signature.ts';

/** The failure of an operation. */
export type Misbehaviour =
  | 'refuse'
  | 'fault'
  /** Fails once. */
  | 'fault_once'
  /** Never answers. */
  | 'stall'
  /** Sends half of the answer and stalls. */
  | 'stall_halfway'
  /** Answers byte by byte, never too slowly between two of them. */
  | 'trickle'
  /** Sends half of the answer and disconnects. */
  | 'cut'
  /** Answers other bytes of the same length. */
  | 'lie'
  /** Answers more bytes than stored, without an end. */
  | 'endless'
  | 'redirect'
  | 'html';

export interface TestS3 {
  url: string;
  place: S3Place;
  account: S3Account;
  /** By operation. */
  misbehaviour: Partial<Record<S3Operation, Misbehaviour>>;
  /** The answer to conditional writes: kept by default. */
  conditions: 'kept' | 'refused' | 'unknown';
  /** Called before each request is answered, which waits for what it returns. */
  interfere: ((operation: S3Operation, key: string) => Promise<void> | void) | null;
  /** Bypasses the protocol. */
  put(key: string, content: string | Buffer): void;
  /**
   * Leaves an object half stored, as a killed server does: it cannot be stated, read or listed until it is stored again, or
   * deleted.
   */
  tear(key: string, mendedBy?: 'put' | 'delete'): void;
  /** `operation key` of each request with a valid signature. */
  requests: string[];
  keys(): string[];
  openUploads(): number;
}

const WRONG_REPLIES: Partial<Record<Misbehaviour, S3Reply>> = {
  refuse: s3Error(403, 'AccessDenied'),
  fault: s3Error(500, 'InternalError'),
  fault_once: s3Error(500, 'InternalError'),
  redirect: { status: 307, headers: { location: 'http://169.254.169.254/' } },
  html: { status: 200, body: '<html>Welcome</html>' },
};

const CONDITION_REPLIES = {
  refused: s3Error(400, 'InvalidArgument'),
  unknown: s3Error(501, 'NotImplemented'),
};

export const BUCKET = 'worlds';

/**
 * Speaks S3's protocol, checks signatures, and misbehaves on demand. With `style: 'virtual_host'` the bucket is only
 * reached as `worlds.localhost`.
 */
export async function startS3(
  t: TestContext,
  { style = 'path' }: { style?: 'path' | 'virtual_host' } = {},
): Promise<TestS3> {
  const account: S3Account = { accessKey: 'AKTEST', secretKey: 'a-secret-of-tests', region: 'eu-test-1' };
  const objects = createS3Objects([BUCKET]);
  const requests: string[] = [];
  const torn = new Map<string, S3Operation>();

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await parsed(message, style);
    const { method = '', url = '', headers } = message;
    const fault = signatureFault({ method, url, headers, body: request.body }, account);
    if (fault !== null) return send(response, s3Error(403, fault));
    const checksum = headers['x-amz-checksum-sha256'];
    if (checksum !== undefined && checksum !== createHash('sha256').update(request.body).digest('base64'))
      return send(response, s3Error(400, 'BadDigest'));
    const operation = operationOf(request);
    requests.push(`${operation} ${request.key}`);
    const interference = s3.interfere?.(operation, request.key);
    if (interference) await interference;
    const isConditional = ['if-match', 'if-none-match'].some((name) => headers[name] !== undefined);
    if (isConditional && s3.conditions !== 'kept' && ['put', 'finish'].includes(operation))
      return send(response, CONDITION_REPLIES[s3.conditions]);
    if (torn.get(request.key) === operation || operation === 'delete') torn.delete(request.key);
    const wrong = isTorn(torn, operation, request) ? 'fault' : s3.misbehaviour[operation];
    if (wrong === 'fault_once') delete s3.misbehaviour[operation];
    if (wrong !== 'stall') send(response, (wrong && WRONG_REPLIES[wrong]) ?? objects.answer(request), wrong);
  }

  const server = await listen(async () => (message, response) => void respond(message, response));
  t.after(() => server.close());
  const url = style === 'path' ? server.url : server.url.replace('127.0.0.1', 'localhost');
  const place: S3Place = {
    provider: 's3',
    bucket: BUCKET,
    region: account.region,
    endpoint: url,
    access_key: account.accessKey,
    secret_key: account.secretKey,
    path_style: style === 'path',
  };
  const s3: TestS3 = {
    url,
    place,
    account,
    misbehaviour: {},
    conditions: 'kept',
    interfere: null,
    requests,
    put(key, content) {
      objects.put(BUCKET, key, Buffer.from(content as string));
      torn.delete(key);
    },
    tear(key, mendedBy = 'put') {
      objects.put(BUCKET, key, Buffer.alloc(0));
      torn.set(key, mendedBy);
    },
    keys: () => objects.keys(BUCKET),
    openUploads: objects.openUploads,
  };
  return s3;
}

function isTorn(
  torn: ReadonlyMap<string, unknown>,
  operation: S3Operation,
  { key, query }: S3Request,
): boolean {
  if (operation === 'list')
    return [...torn.keys()].some((each) => each.startsWith(query.get('prefix') ?? ''));
  return ['get', 'head'].includes(operation) && torn.has(key);
}

async function parsed(message: IncomingMessage, style: 'path' | 'virtual_host'): Promise<S3Request> {
  const [path = '', query] = (message.url ?? '').split('?');
  const names = path.slice(1).split('/').map(decodeURIComponent);
  const host = message.headers.host ?? '';
  const bucket = style === 'path' ? (names.shift() ?? '') : host.split('.localhost')[0];
  return {
    method: message.method ?? '',
    bucket: bucket ?? '',
    key: names.join('/'),
    query: new URLSearchParams(query),
    headers: message.headers,
    body: await buffer(message),
  };
}

function send(response: ServerResponse, reply: S3Reply, wrong?: Misbehaviour): void {
  const { status, headers } = reply;
  const bytes = Buffer.from((reply.body ?? '') as string);
  if (wrong === 'endless') {
    sendEndless(response, status);
    return;
  }
  response.writeHead(status, { 'content-length': String(bytes.length), ...headers });
  if (wrong === 'trickle') {
    trickle(response, bytes);
    return;
  }
  if (wrong === 'cut' || wrong === 'stall_halfway') {
    response.write(bytes.subarray(0, bytes.length / 2), () => wrong === 'cut' && response.destroy());
    return;
  }
  response.end(wrong === 'lie' ? bytes.map((byte) => byte ^ 1) : bytes);
}

function trickle(response: ServerResponse, bytes: Buffer): void {
  const rest = [...bytes];
  const timer = setInterval(() => response.write(Buffer.from(rest.splice(0, 1))), 50);
  response.on('close', () => clearInterval(timer));
}

function sendEndless(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': String(2 ** 40) });
  const piece = Buffer.alloc(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
