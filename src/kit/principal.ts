import type { FeatureOverrides } from '../access/entitlements.ts';
import type { PlanName, Role } from '../access/plans.ts';
import { forbidden } from './errors.ts';

export interface Principal {
  userId: string;
  email: string;
  tenantId: string;
  role: Role;
  /** Differs from `role` only for the first user, who is admin and owner. */
  tenantRole: Role;
  plan: PlanName;
  overrides?: FeatureOverrides;
  /** With an API key, limited to the rights of its scopes. */
  apiKey?: { keyId: string; mayOnlyRead: boolean; mayWriteDirectly: boolean };
}

export function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (principal === null) throw new Error('the contract of this route lets callers in without a token');
  return principal;
}

/** Only people may decide where a world's files lie, not programs with their API key: 403. */
export function storageOwnerOf(request: { principal: Principal | null }): Principal {
  const caller = callerOf(request);
  if (caller.apiKey)
    throw forbidden('An API key cannot connect storage: sign in', { code: 'insufficient_scope' });
  return caller;
}

/** Throws a 401 HttpError for an invalid token. Synchronous for a cached one. */
export type Authenticate = (token: string) => Principal | Promise<Principal>;
