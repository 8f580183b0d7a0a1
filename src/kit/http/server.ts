import cors from '@fastify/cors';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { badRequest, HttpError, messageOf } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Route } from '../route.ts';
import { answerUnreadableRequest } from './client-error.ts';
import { readJsonBody } from './json-body.ts';
import { createHandler, type MountOptions } from './mount.ts';

export interface ServerOptions extends MountOptions {
  routes: readonly Route[];
  log: Log;
  corsOrigins: readonly string[];
  /** Proxies whose forwarded addresses count. */
  trustedProxies: readonly string[];
  /** Replies for errors of ports; null for errors that nobody expected. */
  translateError?: (error: unknown) => HttpError | null;
}

const LONGEST_PARAMETER = 500;

/** `/a/{b}/{path}` → `/a/:b/*`. A `{path}` takes the rest of the address. */
const fastifyPath = (path: string): string =>
  path.replace(/\{path\}$/, '*').replaceAll(/\{([^}]+)\}/g, ':$1');

/** The HTTP server over a list of routes. Nothing listens until `listen` is called. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    genReqId: () => newId(),
    requestIdHeader: false,
    bodyLimit: 1024 * 1024,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) =>
      answer(reply, toHttpError(error) ?? badRequest(error.message)),
    clientErrorHandler: answerUnreadableRequest,
  });
  acceptJsonAlone(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  if (options.log.isDebugging) logRequests(app, options.log.child('http'));
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: ['etag', 'retry-after', 'x-request-id'],
    });
  }
  answerErrors(app, options);
  for (const route of options.routes) mount(app, route, options);
  return app;
}

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const took = reply.elapsedTime.toFixed(1);
    log.debug(`${request.method} ${request.url} ${reply.statusCode} ${took}ms request_id=${request.id}`);
    done();
  });
}

function mount(app: FastifyInstance, route: Route, options: ServerOptions): void {
  const { method, path, bodyLimit } = route.contract;
  const run = createHandler(route, options);
  app.route({
    method,
    url: fastifyPath(path),
    bodyLimit,
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
    detail: 'The address has a % that is not followed by the two digits of UTF-8 text',
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
      `${request.method} ${request.url} failed: ${error.stack ?? messageOf(error)} request_id=${request.id}`,
    );
    return answer(
      reply,
      new HttpError(500, `Something went wrong here. The log has more under request ${request.id}`),
    );
  });
  app.setNotFoundHandler((request, reply) =>
    answer(reply, new HttpError(404, `There is nothing at ${request.method} ${request.url.split('?')[0]}`)),
  );
}
