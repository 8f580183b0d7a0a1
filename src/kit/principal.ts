import type { FeatureOverrides } from '../access/entitlements.ts';
import type { PlanName, Role } from '../access/plans.ts';

/** Who a request speaks for, as its token says. */
export interface Principal {
  userId: string;
  email: string;
  tenantId: string;
  role: Role;
  /** The place in the tenant; differs from `role` for the first user alone, who is admin and owner. */
  tenantRole: Role;
  plan: PlanName;
  /** Where the tenant has more or less than its plan. */
  overrides?: FeatureOverrides;
  /** Set when an API key asks, with the roles that its scopes leave it. */
  apiKey?: { keyId: string; mayOnlyRead: boolean };
}

/** The caller of a route that needs a token. */
export function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (principal === null) throw new Error('the contract of this route lets callers in without a token');
  return principal;
}

/** Turns a bearer token into a principal; throws a 401 HttpError for anything else. Synchronous when remembered. */
export type Authenticate = (token: string) => Principal | Promise<Principal>;
