import type { PlanName, Role } from '../content/plans.ts';

/** Who a request speaks for, as its token says. */
export interface Principal {
  userId: string;
  email: string;
  tenantId: string;
  role: Role;
  plan: PlanName;
}

/** Turns a bearer token into a principal; throws a 401 HttpError for anything else. Synchronous when remembered. */
export type Authenticate = (token: string) => Principal | Promise<Principal>;
