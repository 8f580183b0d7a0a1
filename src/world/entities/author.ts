import type { PlanName } from '../../access/plans.ts';

export interface Author {
  actor: string;
  plan: PlanName;
  /** The plugin by which they do it. */
  via?: string | undefined;
}
