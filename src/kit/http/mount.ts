import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { featuresOf } from '../../content/entitlements.ts';
import type { PlanName } from '../../content/plans.ts';
import { roleAllows, strongest } from '../../content/plans.ts';
import {
  type Contract,
  DEFAULT_PROJECT,
  hasBody,
  isProjectId,
  isRead,
  querySchemaOf,
  takesFiles,
} from '../contract.ts';
import { equalSecrets } from '../crypto.ts';
import { badRequest, conflict, forbidden, HttpError, invalid, unauthorized } from '../errors.ts';
import type { Authenticate, Principal } from '../principal.ts';
import { ReadyJson, Reply, type Route, type RouteRequest } from '../route.ts';
import type { SignedAddresses } from '../signed-addresses.ts';
import { refuseCrossOrigin } from './cross-origin.ts';
import { createFormReader } from './forms.ts';
import { type RateLimit, rateHeaders } from './rate-limit.ts';
import { checkRawBody } from './raw-bodies.ts';
import { createRequestEnd } from './request-end.ts';
import { createChecker, createValidator } from './validation.ts';

export interface MountOptions {
  authenticate: Authenticate;
  rateLimit: RateLimit;
  /** The tenant and plan of requests without a token; null where every request on a project needs one (cloud). */
  anonymous: { tenantId: string; plan: PlanName } | null;
  /** Tests check every reply against its contract; production only sends it. */
  verifyReplies: boolean;
  /** Where the files of forms lie while their request runs; the system's folder for such unless given. */
  uploadFolder?: string;
  /** For surfaces that browsers sign in to by cookies. */
  cookies?: CookieOptions;
  /** Signs addresses and knows them again, where open routes want a token. */
  signedAddresses?: SignedAddresses;
  /** The project of requests that name none; `default` unless given. */
  defaultProject?: () => string;
  /** What calls of other surfaces must bring. */
  serviceToken?: string | null;
  /** What those who collect figures must bring. */
  metricsToken?: string | null;
}

export interface CookieOptions {
  /** The cookie whose value stands for an access token. */
  accessToken: string;
  /** Origins, beside the own one, whose pages may send writes. */
  origins: readonly string[];
  /** Whether cookies go over https alone even where the request came without it. */
  secure: boolean;
}

const bearerOf = (request: FastifyRequest): string | null => {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : null;
};

const projectOf = (request: FastifyRequest, { defaultProject }: MountOptions): string => {
  const asked = (request.query as Record<string, unknown>).project_id ?? request.headers['x-project-id'];
  if (asked === undefined || asked === '') return defaultProject?.() ?? DEFAULT_PROJECT;
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
  const handle = takesFiles(contract)
    ? handlerOfForms(route, options)
    : contract.stream
      ? handlerOfRawBodies(route)
      : handlerOfJson(route);
  const verify = options.verifyReplies ? replyVerifier(contract) : null;

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (options.cookies) refuseCrossOrigin(request, options.cookies.origins);
    const signedFor = signedTenant(contract, request, options);
    const found = signedFor === null ? identify(contract, request, options) : null;
    const principal = found instanceof Promise ? await found : found;
    const limited = countRequest(contract, request, principal, options.rateLimit);
    if (limited) await limited;
    if (principal) {
      requireRole(contract, principal);
      requireFeature(contract, principal);
    }
    const rawQuery = request.query as Record<string, unknown>;
    const query = { ...rawQuery };
    checkParams(request.params);
    checkQuery(query);
    refuseNul(request.url);
    const { onEnd, answered } = createRequestEnd();
    const context = {
      params: request.params,
      query,
      body: request.body,
      files: NO_FILES,
      stream: null,
      principal,
      tenantId: principal?.tenantId ?? signedFor ?? options.anonymous?.tenantId ?? '',
      projectId: contract.project ? projectOf(request, options) : DEFAULT_PROJECT,
      openToAll: contract.auth === 'none' && options.anonymous !== null,
      changes: !isRead(contract),
      actor: principal?.userId ?? 'anonymous',
      plan: principal?.plan ?? options.anonymous?.plan ?? 'free',
      requestId: request.id,
      address: request.ip,
      headers: request.headers,
      cookies: request.cookies ?? NO_COOKIES,
      rawQuery,
      onEnd,
    } as RouteRequest;
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

const NO_FILES = Object.freeze({});
const NO_COOKIES = Object.freeze({});

type Handle = (context: RouteRequest, request: FastifyRequest) => unknown;

function handlerOfJson(route: Route): Handle {
  if (!hasBody(route.contract)) return (context) => route.handle(context);
  const check = createValidator(route.contract.body, 'body');
  return (context) => {
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

/** A form is read once it is known that the caller may send it; its files go when the handler has answered. */
function handlerOfForms(route: Route, { uploadFolder = tmpdir() }: MountOptions): Handle {
  const read = createFormReader(route.contract, uploadFolder);
  return async (context, request) => {
    const form = await read(request);
    try {
      return await route.handle({ ...context, body: form.fields, files: form.files } as RouteRequest);
    } finally {
      await form.discard();
    }
  };
}

/** Files and databases keep no NUL in text, so nothing is at such an address. */
function refuseNul(url: string): void {
  if (url.includes('%00')) throw badRequest('The address contains a NUL character (%00)');
}

/** Programs that are no users bring a token of the settings. */
const SHARED_TOKENS = {
  service: {
    unset: 'Calls between surfaces are not set up (setting SERVICE_TOKEN)',
    refused: 'This is for other surfaces of the service alone',
  },
  metrics: {
    unset: 'Nothing is counted here (setting METRICS_TOKEN)',
    refused: 'Send the token of METRICS_TOKEN as Authorization: Bearer <token>',
  },
} as const;

function requireSharedToken(
  kind: keyof typeof SHARED_TOKENS,
  request: FastifyRequest,
  token: string | null | undefined,
): void {
  const { unset, refused } = SHARED_TOKENS[kind];
  if (!token) throw conflict(unset, { code: 'not_configured' });
  if (!equalSecrets(bearerOf(request) ?? '', token))
    throw unauthorized(refused, { code: 'not_authenticated' });
}

function identify(contract: Contract, request: FastifyRequest, options: MountOptions) {
  if (contract.auth === 'service') requireSharedToken('service', request, options.serviceToken);
  if (contract.auth === 'metrics') requireSharedToken('metrics', request, options.metricsToken);
  const open = contract.auth !== 'bearer';
  if (open && (options.anonymous !== null || !contract.project)) return null;
  const token = bearerOf(request) ?? cookieOf(request, options.cookies);
  if (token !== null) return options.authenticate(token);
  const isSigned = contract.signed && signatureOf(request) !== undefined;
  const detail = isSigned
    ? 'This address was good for a while and is no longer, or was altered: ask again for what named it'
    : 'Sign in first: send the header Authorization: Bearer <access token>';
  throw unauthorized(detail, { code: 'not_authenticated' });
}

function signatureOf(request: FastifyRequest): string | undefined {
  const { signed } = request.query as Record<string, unknown>;
  return typeof signed === 'string' ? signed : undefined;
}

/** Whose thing a signed address opens. A token in the header comes first; a cookie may be another tenant's than the address. */
function signedTenant(contract: Contract, request: FastifyRequest, options: MountOptions): string | null {
  const { anonymous, signedAddresses } = options;
  if (!contract.signed || anonymous !== null || request.headers.authorization !== undefined) return null;
  const signed = signatureOf(request);
  if (signed === undefined || signedAddresses === undefined) return null;
  const [path = ''] = request.url.split('?');
  return signedAddresses.tenantOf(signed, {
    projectId: projectOf(request, options),
    path: decodeURIComponent(path),
  });
}

const cookieOf = (request: FastifyRequest, options: CookieOptions | undefined): string | null =>
  (request.headers.authorization === undefined && options && request.cookies[options.accessToken]) || null;

function requireFeature({ feature }: Contract, { plan, overrides }: Principal): void {
  if (feature === null || featuresOf(plan, overrides)[feature]) return;
  throw forbidden(`The ${plan} plan does not have ${feature}`, {
    code: 'feature_unavailable',
    body: { feature },
  });
}

function requireRole(contract: Contract, principal: Principal): void {
  if (principal.apiKey?.mayOnlyRead && !isRead(contract))
    throw forbidden('This API key may only read: make one with the scope write', {
      code: 'insufficient_scope',
    });
  if (roleAllows(strongest(principal), contract.role)) return;
  const detail =
    contract.role === 'admin' ? 'Admin access required' : `This needs the role ${contract.role} or above`;
  throw forbidden(detail, { code: 'insufficient_role' });
}

/** Counts only what has a limit: reads by anyone and calls between surfaces are free, so the usual request costs no look-up. */
function countRequest(
  contract: Contract,
  request: FastifyRequest,
  principal: Principal | null,
  rateLimit: RateLimit,
): Promise<void> | null {
  if (contract.auth === 'service') return null;
  const kind =
    contract.limit === 'login' ? 'login' : principal ? 'user' : isRead(contract) ? null : 'anonymous';
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

function send(contract: Contract, result: unknown, reply: FastifyReply, options: MountOptions): unknown {
  let body = result;
  let status: number = contract.status;
  if (body instanceof Reply) {
    reply.headers(body.headers);
    setCookies(reply, body, options.cookies?.secure === true);
    status = body.status ?? status;
    body = body.body;
  }
  reply.code(status);
  if (status === 204 || (status >= 300 && status < 400)) return '';
  if (contract.replyType !== 'application/json') {
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
    const isElsewhere = result instanceof Reply && (result.status ?? 200) >= 300;
    if (contract.replyType !== 'application/json' || isElsewhere) return;
    const body = result instanceof Reply ? result.body : result;
    const value =
      body instanceof ReadyJson ? JSON.parse(body.text) : JSON.parse(JSON.stringify(body ?? null));
    const errors = check(value);
    if (errors)
      throw new Error(`${contract.name}: the reply does not match its contract: ${JSON.stringify(errors)}`);
  };
}
