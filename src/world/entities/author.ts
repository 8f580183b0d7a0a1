import type { PlanName } from '../../access/plans.ts';

export interface Author {
  actor: string;
  plan: PlanName;
}
