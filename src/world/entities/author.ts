import type { PlanName } from '../../access/plans.ts';

export interface Author {
  actor: string;
  plan: PlanName;
  /** The plugin by which they say that they do it: for the history alone. */
  via?: string | undefined;
  /** The plugin whose guest makes the change: its own hooks do not run for it. */
  guest?: string | undefined;
}
