import type { Contract } from './contract.ts';
import { badRequest } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Route, RouteRequest } from './route.ts';

/** The caller, as the serving surface knows them. */
interface Caller {
  principal: Principal | null;
  address: string;
}

const CALLER = 'x-canonry-caller';

/**
 * The address at which another surface serves a route for this one: it takes and replies the same, is open to other surfaces alone,
 * and leaves it to them to identify the caller and to refuse those without the rights that the contract asks for.
 */
export const twinOf = (contract: Contract): Contract => ({
  ...contract,
  name: `${contract.name}ForCores`,
  path: contract.path.replace(/^\/api\//, '/internal/'),
  auth: 'service',
  role: 'viewer',
  peopleOnly: false,
  anyScope: false,
  feature: null,
  limit: 'standard',
  tag: 'Between services',
  description: `Serves \`${contract.method} ${contract.path}\` for cores, which name the caller in the header \`${CALLER}\`.`,
});

export const twinRoute = (route: Route): Route => ({
  contract: twinOf(route.contract),
  handle(request) {
    const { principal, address } = callerIn(request);
    return route.handle({
      ...request,
      principal,
      address,
      tenantId: principal?.tenantId ?? request.tenantId,
      actor: principal?.userId ?? request.actor,
      plan: principal?.plan ?? request.plan,
    });
  },
});

/** Names the caller to a twin. Header values are bytes, and names of people are not, hence base64. */
export const callerHeader = ({ principal, address }: RouteRequest): Record<string, string> => ({
  [CALLER]: Buffer.from(JSON.stringify({ principal, address } satisfies Caller)).toString('base64url'),
});

function callerIn({ headers }: RouteRequest): Caller {
  const text = headers[CALLER];
  try {
    return JSON.parse(Buffer.from(String(text), 'base64url').toString());
  } catch {
    throw badRequest(`Name the caller in the header ${CALLER}, as base64url of JSON`, { code: 'no_caller' });
  }
}
