import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PlanName, Role } from '../../content/plans.ts';
import { roleAllows } from '../../content/plans.ts';
import { type Contract, DEFAULT_PROJECT, hasBody, isProjectId, querySchemaOf } from '../contract.ts';
import { badRequest, forbidden, HttpError, invalid, unauthorized } from '../errors.ts';
import type { Authenticate, Principal } from '../principal.ts';
import { ReadyJson, Reply, type Route, type RouteRequest } from '../route.ts';
import { type RateLimit, rateHeaders } from './rate-limit.ts';
import { createChecker, createValidator } from './validation.ts';

export interface MountOptions {
  authenticate: Authenticate;
  rateLimit: RateLimit;
  /** The tenant and plan of requests without a token; null where every request on a project needs one (cloud). */
  anonymous: { tenantId: string; plan: PlanName } | null;
  /** Tests check every reply against its contract; production only sends it. */
  verifyReplies: boolean;
}

const bearerOf = (request: FastifyRequest): string | null => {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : null;
};

const projectOf = (request: FastifyRequest): string => {
  const asked = (request.query as Record<string, unknown>).project_id ?? request.headers['x-project-id'];
  if (asked === undefined || asked === '') return DEFAULT_PROJECT;
  if (typeof asked === 'string' && isProjectId(asked)) return asked;
  throw invalid('the project id must be 1 to 64 lower-case letters, digits, _ and -, such as my-world', {
    code: 'invalid_project',
  });
};

/** Makes the one handler that runs a route: who asks, how often, with what; then the route; then the reply. */
export function createHandler(route: Route, options: MountOptions) {
  const { contract } = route;
  const checkParams = createValidator(contract.params, 'path');
  const checkQuery = createValidator(querySchemaOf(contract), 'query');
  const checkBody = hasBody(contract) ? createValidator(contract.body, 'body') : null;
  const verify = options.verifyReplies ? replyVerifier(contract) : null;

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const found = identify(contract, request, options);
    const principal = found instanceof Promise ? await found : found;
    const limited = countRequest(contract, request, principal, options.rateLimit);
    if (limited) await limited;
    if (principal) requireRole(contract, principal.role);
    const rawQuery = request.query as Record<string, unknown>;
    const query = { ...rawQuery };
    checkParams(request.params);
    checkQuery(query);
    refuseNul(request.url);
    checkBody?.(request.body);
    const context = {
      params: request.params,
      query,
      body: request.body,
      principal,
      tenantId: principal?.tenantId ?? options.anonymous?.tenantId ?? '',
      projectId: contract.project ? projectOf(request) : DEFAULT_PROJECT,
      changes: contract.method !== 'GET',
      actor: principal?.userId ?? 'anonymous',
      plan: principal?.plan ?? options.anonymous?.plan ?? 'free',
      requestId: request.id,
      address: request.ip,
      headers: request.headers,
      rawQuery,
    } as RouteRequest;
    const result = await route.handle(context);
    verify?.(result);
    return send(contract, result, reply);
  };
}

/** Files and databases keep no NUL in text, so nothing is at such an address. */
function refuseNul(url: string): void {
  if (url.includes('%00')) throw badRequest('The address contains a NUL character (%00)');
}

function identify(contract: Contract, request: FastifyRequest, options: MountOptions) {
  const open = contract.auth !== 'bearer';
  if (open && (options.anonymous !== null || !contract.project)) return null;
  const token = bearerOf(request);
  if (token === null) {
    throw unauthorized('Sign in first: send the header Authorization: Bearer <access token>', {
      code: 'not_authenticated',
    });
  }
  return options.authenticate(token);
}

function requireRole(contract: Contract, role: Role): void {
  if (roleAllows(role, contract.role)) return;
  const detail =
    contract.role === 'admin' ? 'Admin access required' : `This needs the role ${contract.role} or above`;
  throw forbidden(detail, { code: 'insufficient_role' });
}

/** Counts only what has a limit: reads by anyone are free, so the usual request costs no look-up. */
function countRequest(
  contract: Contract,
  request: FastifyRequest,
  principal: Principal | null,
  rateLimit: RateLimit,
): Promise<void> | null {
  const kind =
    contract.limit === 'login'
      ? 'login'
      : principal
        ? 'user'
        : contract.method === 'GET'
          ? null
          : 'anonymous';
  if (kind === null) return null;
  const decision = rateLimit(kind, kind === 'user' && principal ? principal.userId : request.ip);
  if (decision === null) return null;
  return Promise.resolve(decision).then((made) => {
    if (made === null || made.allowed) return;
    throw new HttpError(429, `Too many requests: try again in ${made.resetSeconds} seconds`, {
      code: 'rate_limited',
      headers: { ...rateHeaders(made), 'retry-after': String(made.resetSeconds) },
    });
  });
}

function send(contract: Contract, result: unknown, reply: FastifyReply): unknown {
  let body = result;
  let status: number = contract.status;
  if (body instanceof Reply) {
    reply.headers(body.headers);
    status = body.status ?? status;
    body = body.body;
  }
  reply.code(status);
  if (status === 304) return '';
  if (contract.replyType !== 'application/json') {
    if (!reply.hasHeader('content-type')) reply.type(contract.replyType);
    return body;
  }
  reply.type('application/json; charset=utf-8');
  return body instanceof ReadyJson ? body.text : JSON.stringify(body ?? null);
}

function replyVerifier(contract: Contract) {
  const check = createChecker(contract.reply);
  return (result: unknown): void => {
    const isUnchanged = result instanceof Reply && result.status === 304;
    if (contract.replyType !== 'application/json' || isUnchanged) return;
    const body = result instanceof Reply ? result.body : result;
    const value =
      body instanceof ReadyJson ? JSON.parse(body.text) : JSON.parse(JSON.stringify(body ?? null));
    const errors = check(value);
    if (errors)
      throw new Error(`${contract.name}: the reply does not match its contract: ${JSON.stringify(errors)}`);
  };
}
