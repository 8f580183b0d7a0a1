import type { FeatureOverrides } from '../access/entitlements.ts';
import type { PlanName, Role } from '../access/plans.ts';

/** The user that a request acts for, as its token says. */
export interface Principal {
  userId: string;
  email: string;
  tenantId: string;
  role: Role;
  /** The role in the tenant; it differs from `role` only for the first user, who is admin and owner. */
  tenantRole: Role;
  plan: PlanName;
  overrides?: FeatureOverrides;
  /** Set for calls with an API key, with the rights that its scopes leave. */
  apiKey?: { keyId: string; mayOnlyRead: boolean };
}

export function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (principal === null) throw new Error('the contract of this route lets callers in without a token');
  return principal;
}

/**
 * Turns a bearer token into a principal; throws a 401 HttpError for anything else. It is synchronous for a cached token.
 */
export type Authenticate = (token: string) => Principal | Promise<Principal>;
