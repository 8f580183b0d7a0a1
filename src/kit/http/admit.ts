import type { FastifyRequest } from 'fastify';
import { featuresOf } from '../../access/entitlements.ts';
import { roleAllows, strongest } from '../../access/plans.ts';
import { type Contract, DEFAULT_PROJECT, isProjectId, isRead } from '../contract.ts';
import { equalSecrets } from '../crypto.ts';
import { conflict, forbidden, HttpError, invalid, unauthorized } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { bearerOf } from './bearer.ts';
import { refuseCrossOrigin } from './cross-origin.ts';
import type { CookieOptions, MountOptions } from './mount-options.ts';
import { type RateLimit, rateHeaders } from './rate-limit.ts';

export interface Admitted {
  /** Null only on open routes. */
  principal: Principal | null;
  tenantId: string;
}

/** Identifies the caller without reading the body. Throws for callers without permission or over their rate limit. */
export async function admit(
  contract: Contract,
  request: FastifyRequest,
  options: MountOptions,
): Promise<Admitted> {
  if (options.cookies) refuseCrossOrigin(request, options.cookies.origins);
  const signedFor = signedTenant(contract, request, options);
  const found = signedFor === null ? identify(contract, request, options) : null;
  const principal = found instanceof Promise ? await found : found;
  const limited = countRequest(contract, request, principal, options.rateLimit);
  if (limited) await limited;
  if (principal) {
    requireAccount(request, principal);
    requireScope(contract, principal);
    requireRights(contract, principal);
  }
  return { principal, tenantId: principal?.tenantId ?? signedFor ?? options.anonymous?.tenantId ?? '' };
}

export const projectOf = (request: FastifyRequest, { defaultProject }: MountOptions): string => {
  const asked = (request.query as Record<string, unknown>).project_id ?? request.headers['x-project-id'];
  if (asked === undefined || asked === '') return defaultProject?.() ?? DEFAULT_PROJECT;
  if (typeof asked === 'string' && isProjectId(asked)) return asked;
  throw invalid('the project id must be 1 to 64 lower-case letters, digits, _ and -, such as my-world', {
    code: 'invalid_project',
  });
};

/** Programs that are not users present a token from the settings. */
const SHARED_TOKENS = {
  service: {
    unset: 'Calls between surfaces are not set up (setting SERVICE_TOKEN)',
    refused: 'This route is only for other surfaces of the service',
  },
  metrics: {
    unset: 'Metrics are turned off (setting METRICS_TOKEN)',
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
  if (!equalSecrets(bearerOf(request.headers) ?? '', token))
    throw unauthorized(refused, { code: 'not_authenticated' });
}

function identify(contract: Contract, request: FastifyRequest, options: MountOptions) {
  if (contract.auth === 'service') requireSharedToken('service', request, options.serviceToken);
  if (contract.auth === 'metrics') requireSharedToken('metrics', request, options.metricsToken);
  const open = contract.auth !== 'bearer';
  if (open && (options.anonymous !== null || !contract.project)) return null;
  const token = bearerOf(request.headers) ?? cookieOf(request, options.cookies);
  if (token !== null) return options.authenticate(token);
  const isSigned = contract.signed && signatureOf(request) !== undefined;
  const detail = isSigned
    ? 'This address has expired or was altered: repeat the request that returned it'
    : 'Sign in first: send the header Authorization: Bearer <access token>';
  throw unauthorized(detail, { code: 'not_authenticated' });
}

function signatureOf(request: FastifyRequest): string | undefined {
  const { signed } = request.query as Record<string, unknown>;
  return typeof signed === 'string' ? signed : undefined;
}

/**
 * The tenant whose resource a signed address opens. A token in the header comes first; a cookie may belong to another
 * tenant than the address.
 */
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

/** Throws 403 if the caller's role or plan does not reach. */
export function requireRights(contract: Contract, principal: Principal): void {
  requireRole(contract, principal);
  requireFeature(contract, principal);
}

/** All tabs of a browser share its cookies, so a page names the account that it shows: another may have signed in since. */
const ACCOUNT_HEADER = 'x-canonry-account';

function requireAccount(request: FastifyRequest, { userId }: Principal): void {
  const expected = request.headers[ACCOUNT_HEADER];
  if (expected === undefined || expected === userId) return;
  throw conflict('Another account has signed in since: load the page again', { code: 'other_account' });
}

function requireScope(contract: Contract, principal: Principal): void {
  if (principal.apiKey && contract.peopleOnly)
    throw forbidden(
      'API keys cannot manage people or API keys: sign in and send the access token of your session',
      {
        code: 'api_key_refused',
      },
    );
  if (principal.apiKey?.mayOnlyRead && !isRead(contract) && !contract.anyScope)
    throw forbidden('This API key may only read: make one with the scope write', {
      code: 'insufficient_scope',
    });
}

function requireRole(contract: Contract, principal: Principal): void {
  if (roleAllows(strongest(principal), contract.role)) return;
  const detail =
    contract.role === 'admin' ? 'Admin access required' : `This needs the role ${contract.role} or above`;
  throw forbidden(detail, { code: 'insufficient_role' });
}

/** Anonymous reads, signed webhooks and calls between surfaces are free, so the usual request costs no look-up. */
function countRequest(
  contract: Contract,
  request: FastifyRequest,
  principal: Principal | null,
  rateLimit: RateLimit,
): Promise<void> | null {
  if (contract.auth === 'service' || contract.auth === 'signature') return null;
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
