import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import fastify, {
  type FastifyContextConfig,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { takesFiles } from '../contract.ts';
import { badRequest, HttpError, messageOf } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Reply, Route } from '../route.ts';
import { opensPage } from './asks-for-page.ts';
import { answerUnreadableRequest } from './client-error.ts';
import { createReplyCompression } from './compressed-replies.ts';
import { endOnClose } from './end-on-close.ts';
import { acceptForms } from './forms.ts';
import { readJsonBody } from './json-body.ts';
import type { Guard } from './local-guard.ts';
import { createHandler, originOf } from './mount.ts';
import type { MountOptions } from './mount-options.ts';
import { acceptRawBodies } from './raw-bodies.ts';
import { beforeBody } from './request-work.ts';
import { type BodyPace, refuseSlowBodies } from './slow-bodies.ts';
import { endStalledReplies, type ReplyPace } from './stalled-replies.ts';
import { acceptWebSockets } from './web-sockets.ts';

export interface ServerOptions extends MountOptions {
  routes: readonly Route[];
  log: Log;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  /** Refuses requests, also for WebSockets, before anything else looks at them. */
  guard?: Guard;
  bodyPace?: BodyPace;
  connectionPace?: ConnectionPace;
  metrics?: Metrics;
  /** For a browser at an address that does not exist; null for the error as JSON. */
  pageOfUnknown?: (request: { headers: IncomingHttpHeaders; origin: string }) => Promise<Reply | null>;
  /** Turns errors of ports into replies; null for unexpected errors. */
  translateError?: (error: unknown) => HttpError | null;
}

const REQUEST_ID = /^[A-Za-z0-9_.-]{8,64}$/;
/** True if a trusted proxy forwarded the request, so that its peer is not the caller. */
const isForwarded = ({ ips = [] }: FastifyRequest): boolean => ips.length > 1;

/** Headers that a page's resumable upload (the tus protocol) must be able to read. */
const RESUMING_HEADERS = ['tus-resumable', 'upload-expires', 'upload-length', 'upload-offset'];

const LONGEST_PARAMETER = 500;

/** Milliseconds. */
export interface ConnectionPace extends ReplyPace {
  /** Limit for a request's headers, and for the start of the first request on a connection. */
  headersMs: number;
  /** Time that a connection is kept for its next request. */
  idleMs: number;
}

const CONNECTION_PACE: ConnectionPace = {
  headersMs: 30_000,
  idleMs: 50_000,
  stalledMs: 60_000,
  checkMs: 10_000,
};

/** A route that handles OPTIONS itself also gets preflights of pages, and requests that are none. */
const AFTER_PREFLIGHT: FastifyContextConfig & { cors: object } = {
  cors: { strictPreflight: false, preflightContinue: true },
};

/** `/a/{b}/{path}` → `/a/:b/*`. A final `{path}` takes the rest of the address. */
const fastifyPath = (path: string): string =>
  path.replace(/\{path\}$/, '*').replaceAll(/\{([^}]+)\}/g, ':$1');

/** It does not listen until `listen` is called. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const pace = options.connectionPace ?? CONNECTION_PACE;
  const app = fastify({
    logger: false,
    genReqId: () => newId(),
    requestIdHeader: false,
    bodyLimit: 1024 * 1024,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Bodies have limits of their own.
    requestTimeout: 0,
    keepAliveTimeout: pace.idleMs,
    // Most requests have no body, and cost a tenth less without a stream for it.
    http: {
      optimizeEmptyRequests: true,
      headersTimeout: pace.headersMs,
      connectionsCheckingInterval: pace.checkMs,
    },
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) =>
      answer(reply, toHttpError(error) ?? badRequest(error.message)),
    clientErrorHandler: answerUnreadableRequest,
  });
  const mounting = { ...options, endOnClose: endOnClose(app), compression: createReplyCompression() };
  refuseSlowBodies(app, options.bodyPace);
  endStalledReplies(app, pace);
  acceptJsonAlone(app);
  app.addHook('onRequest', (request, reply, done) => {
    forgetTypeOfNothing(request.raw);
    const given = request.headers['x-request-id'];
    if (isForwarded(request) && typeof given === 'string' && REQUEST_ID.test(given)) request.id = given;
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done(options.guard?.(request) ?? undefined);
  });
  if (options.log.isDebugging) logRequests(app, options.log.child('http'));
  if (options.metrics !== undefined && options.metricsToken) countRequests(app, options.metrics);
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: ['etag', 'location', 'retry-after', 'x-request-id', ...RESUMING_HEADERS],
    });
  }
  if (options.cookies) await app.register(cookie);
  answerErrors(app, options);
  acceptWebSockets(app, options.routes, options.guard);
  const [forms, rest] = partition(options.routes, ({ contract }) => takesFiles(contract));
  const [raw, others] = partition(rest, ({ contract }) => contract.stream !== null);
  for (const route of others) mount(app, route, mounting);
  for (const [routes, accept] of [
    [forms, acceptForms],
    [raw, acceptRawBodies],
  ] as const) {
    if (routes.length === 0) continue;
    await app.register(async (scope) => {
      await accept(scope);
      for (const route of routes) mount(scope, route, mounting);
    });
  }
  return app;
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** The query is left out: it may hold codes and tokens. */
const pathOf = ({ url }: { url: string }): string => url.split('?')[0] ?? '';

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const took = reply.elapsedTime.toFixed(1);
    log.debug(`${request.method} ${pathOf(request)} ${reply.statusCode} ${took}ms request_id=${request.id}`);
    done();
  });
}

function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe({
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}

interface Mounting extends ServerOptions {
  compression: ReturnType<typeof createReplyCompression>;
}

function mount(app: FastifyInstance, route: Route, options: Mounting): void {
  const { method, path, bodyLimit } = route.contract;
  const run = createHandler(route, options);
  app.route({
    method,
    url: fastifyPath(path),
    bodyLimit,
    onRequest: beforeBody(route.contract, options) ?? [],
    onSend: options.compression(route.contract) ?? [],
    ...(method === 'OPTIONS' && { config: AFTER_PREFLIGHT }),
    handler: (request, reply) => {
      const params = request.params as Record<string, string>;
      if (params['*'] !== undefined) {
        params.path = params['*'];
        delete params['*'];
      }
      return run(request, reply);
    },
  });
}

/**
 * Some clients name JSON on requests without a body, such as `curl -X DELETE` with its usual headers. Such a request has
 * no stream, so waiting for its end would take for ever.
 */
function forgetTypeOfNothing({ headers, readableEnded }: IncomingMessage): void {
  if (readableEnded && /^application\/json/i.test(headers['content-type'] ?? ''))
    delete headers['content-type'];
}

function acceptJsonAlone(app: FastifyInstance): void {
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => readJsonBody(body),
  );
}

const CLIENT_ERRORS: Record<string, { status: number; detail: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, detail: 'Send the body as Content-Type: application/json' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, detail: 'The request body is larger than this route takes' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, detail: 'Content-Length does not match the body' },
  FST_ERR_BAD_URL: {
    status: 400,
    detail: 'The address contains a % that is not followed by two hex digits of UTF-8 text',
  },
  FST_ERR_MAX_PARAM_LENGTH: {
    status: 414,
    detail: `A part of the address is longer than ${LONGEST_PARAMETER} characters`,
  },
};

function toHttpError(error: FastifyError | Error): HttpError | null {
  if (error instanceof HttpError) return error;
  const known = CLIENT_ERRORS['code' in error ? error.code : ''];
  if (known) return new HttpError(known.status, known.detail);
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) return new HttpError(status, error.message);
  return null;
}

function answer(reply: FastifyReply, error: HttpError): FastifyReply {
  const { code, errors, headers, body } = error.extras;
  reply.headers({ 'x-request-id': reply.request.id, ...headers }).code(error.status);
  return reply.send({ detail: error.message, ...(code && { code }), ...(errors && { errors }), ...body });
}

function answerErrors(app: FastifyInstance, options: ServerOptions): void {
  const log = options.log.child('http');
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const known = toHttpError(error) ?? options.translateError?.(error) ?? null;
    if (known) return answer(reply, known);
    log.error(
      `${request.method} ${pathOf(request)} failed: ${error.stack ?? messageOf(error)} request_id=${request.id}`,
    );
    return answer(
      reply,
      new HttpError(500, `Something went wrong here. The log has more under request ${request.id}`),
    );
  });
  app.setNotFoundHandler(async (request, reply) => {
    const asked = { headers: request.headers, origin: originOf(request) };
    const page = opensPage(request) ? await options.pageOfUnknown?.(asked) : null;
    if (page) return reply.code(404).headers(page.headers).send(page.body);
    return answer(reply, new HttpError(404, `There is nothing at ${request.method} ${pathOf(request)}`));
  });
}
