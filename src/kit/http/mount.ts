import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Contract, DEFAULT_PROJECT, hasBody, isRead, querySchemaOf, takesFiles } from '../contract.ts';
import { badRequest } from '../errors.ts';
import { ReadyJson, Reply, type Route, type RouteRequest } from '../route.ts';
import type { HoldBytes } from '../work-budget.ts';
import { admit, projectOf } from './admit.ts';
import { callerGone } from './caller-gone.ts';
import { createFormReader } from './forms.ts';
import { createBodyNameCheck, createQueryNameCheck } from './known-names.ts';
import type { MountOptions } from './mount-options.ts';
import { checkRawBody } from './raw-bodies.ts';
import { createRequestEnd } from './request-end.ts';
import { workOf } from './request-work.ts';
import { createChecker, createValidator } from './validation.ts';

export function createHandler(route: Route, options: MountOptions) {
  const { contract } = route;
  const checkParams = createValidator(contract.params, 'path');
  const checkQuery = createValidator(querySchemaOf(contract), 'query');
  const checkNames = createQueryNameCheck(contract);
  const handle = takesFiles(contract)
    ? handlerOfForms(route, options)
    : contract.stream
      ? handlerOfRawBodies(route)
      : handlerOfJson(route);
  const verify = options.verifyReplies ? replyVerifier(contract) : null;

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const work = workOf(request);
    const { principal, tenantId } = work?.admitted ?? (await admit(contract, request, options));
    const rawQuery = request.query as Record<string, unknown>;
    const query = { ...rawQuery };
    checkParams(request.params);
    checkQuery(query);
    refuseNul(request.url);
    checkNames(rawQuery);
    const { onEnd, answered } = createRequestEnd();
    const context = {
      params: request.params,
      query,
      body: request.body,
      files: NO_FILES,
      stream: null,
      principal,
      tenantId,
      projectId: contract.project ? projectOf(request, options) : DEFAULT_PROJECT,
      openToAll: contract.auth === 'none' && options.anonymous !== null,
      changes: !isRead(contract),
      actor: principal?.userId ?? 'anonymous',
      plan: principal?.plan ?? options.anonymous?.plan ?? 'free',
      requestId: request.id,
      address: request.ip,
      origin: originOf(request),
      headers: request.headers,
      cookies: request.cookies ?? NO_COOKIES,
      rawQuery,
      onEnd,
      callerGone: () => callerGone(reply),
      holdBytes: work?.hold ?? NOTHING_HELD,
      goesOn: work?.goesOn ?? NOTHING_GOES_ON,
    } as RouteRequest;
    work?.begin();
    onEnd(() => work?.end());
    let result: unknown;
    try {
      result = await handle(context, request);
    } finally {
      answered(result);
    }
    verify?.(result);
    return send(contract, result, reply, options);
  };
}

/** The origin at which the caller reached the service, as trusted proxies forwarded it. */
export const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

const NO_FILES = Object.freeze({});
const NO_COOKIES = Object.freeze({});
const NOTHING_HELD = async () => {};
const NOTHING_GOES_ON = () => {};
const NO_SPACE_COUNTED: HoldBytes = async () => () => {};

type Handle = (context: RouteRequest, request: FastifyRequest) => unknown;

function handlerOfJson(route: Route): Handle {
  if (!hasBody(route.contract)) return (context) => route.handle(context);
  const check = createValidator(route.contract.body, 'body');
  const checkNames = createBodyNameCheck(route.contract);
  return (context) => {
    checkNames(context.body);
    check(context.body);
    return route.handle(context);
  };
}

function handlerOfRawBodies(route: Route): Handle {
  return async (context, request) => {
    try {
      checkRawBody(route.contract, request);
      return await route.handle({ ...context, stream: request.raw });
    } finally {
      // The rest of the request must leave the connection, or the next one on it would wait for ever.
      request.raw.resume();
    }
  };
}

/** A form is read only after its caller is authorized and disk space is reserved; its files go when the handler has returned. */
function handlerOfForms(route: Route, options: MountOptions): Handle {
  const { uploadFolder = tmpdir(), holdUploadSpace = NO_SPACE_COUNTED } = options;
  const read = createFormReader(route.contract, uploadFolder);
  return async (context, request) => {
    const release = await holdUploadSpace(context.tenantId, sizeOfForm(request, route.contract)).catch(
      (error: unknown) => {
        // The rest of the request must leave the connection, or the next one on it would wait for ever.
        request.raw.resume();
        throw error;
      },
    );
    try {
      const form = await read(request);
      try {
        return await route.handle({ ...context, body: form.fields, files: form.files } as RouteRequest);
      } finally {
        await form.discard();
      }
    } finally {
      release();
    }
  };
}

/** Bytes that a form may put on disk: without a length, as many as its route allows. */
const sizeOfForm = ({ headers }: FastifyRequest, { bodyLimit }: Contract): number =>
  Math.min(Number(headers['content-length'] ?? bodyLimit), bodyLimit);

/** Files and databases cannot hold NUL in text, so there is nothing at such an address. */
function refuseNul(url: string): void {
  if (url.includes('%00')) throw badRequest('The address contains a NUL character (%00)');
}

function send(contract: Contract, result: unknown, reply: FastifyReply, options: MountOptions): unknown {
  let body = result;
  let status: number = contract.status;
  if (body instanceof Reply) {
    reply.headers(body.headers);
    setCookies(reply, body, options.cookies?.secure === true);
    status = body.status ?? status;
    if (body.endless && body.body instanceof Readable) options.endOnClose?.(body.body);
    body = body.body;
  }
  if (contract.project || contract.auth !== 'none') keepPrivate(reply);
  reply.code(status);
  const isEmpty = status === 204 || (status === 202 && body === null);
  if (isEmpty || (status >= 300 && status < 400)) return '';
  if (contract.replyType !== 'application/json' || reply.hasHeader('content-type')) {
    if (reply.request.method === 'HEAD' && body instanceof Readable) {
      body.destroy();
      body = Readable.from([]);
    }
    if (!reply.hasHeader('content-type')) reply.type(contract.replyType);
    return body;
  }
  reply.type('application/json; charset=utf-8');
  return body instanceof ReadyJson ? body.text : JSON.stringify(body ?? null);
}

/** Replies belong to one caller: shared caches must not keep them, and private ones must tell callers apart. */
function keepPrivate(reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control'))
    reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'private, no-store');
  const vary = [reply.getHeader('vary') ?? []].flat().join(', ');
  reply.header('vary', [vary, 'Authorization', 'Cookie'].filter((part) => part !== '').join(', '));
}

function setCookies(reply: FastifyReply, { cookies }: Reply, secure: boolean): void {
  if (cookies.length > 0) reply.header('cache-control', 'no-store');
  for (const { name, value, path, maxAgeSeconds } of cookies) {
    reply.setCookie(name, value, {
      path,
      maxAge: maxAgeSeconds,
      httpOnly: true,
      sameSite: 'lax',
      secure: secure || reply.request.protocol === 'https',
    });
  }
}

function replyVerifier(contract: Contract) {
  const checkReply = createChecker(contract.reply);
  const checkAccepted = contract.accepted && createChecker(contract.accepted);
  return (result: unknown): void => {
    const isAccepted = result instanceof Reply && result.status === 202;
    const check = isAccepted && checkAccepted ? checkAccepted : checkReply;
    const isElsewhere =
      result instanceof Reply && ((result.status ?? 200) >= 300 || 'content-type' in result.headers);
    if (contract.replyType !== 'application/json' || isElsewhere) return;
    const body = result instanceof Reply ? result.body : result;
    const value =
      body instanceof ReadyJson ? JSON.parse(body.text) : JSON.parse(JSON.stringify(body ?? null));
    const errors = check(value);
    if (errors)
      throw new Error(`${contract.name}: the reply does not match its contract: ${JSON.stringify(errors)}`);
  };
}
