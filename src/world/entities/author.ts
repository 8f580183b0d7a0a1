import type { PlanName } from '../../access/plans.ts';

/** Who changes something, and what their plan allows. */
export interface Author {
  actor: string;
  plan: PlanName;
}
