import type { PlanName } from '../../access/plans.ts';

/** The user who makes a change, and the plan that limits it. */
export interface Author {
  actor: string;
  plan: PlanName;
}
